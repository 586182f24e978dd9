import type { ColumnDef } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { useMayEdit } from '../useProject';
import { EmptyState } from '../EmptyState';
import { LinkButton } from '../LinkButton';
import { PageHeader } from '../PageHeader';
import { AddIcon } from '../pictures/icons';
import type { Scene } from '../pictures/Illustration';
import type { TableAnswer } from '../table/DataTable';
import { NounTable } from './NounTable';
import { useNounLinks, type NounPath } from './useNounActions';

interface NounListPageProps<Row> {
  noun: NounPath;
  title: string;
  description: string;
  newLabel: string;
  answer: TableAnswer<Row>;
  columns: ColumnDef<Row>[];
  /** What stands here as long as there is nothing: a picture, a title and how to begin. */
  empty: { scene: Scene; title: string; text: ReactNode };
}

/** The page that lists a configuration noun. */
export function NounListPage<
  Row extends { id: number; name: string; description: string; updated_at: string },
>(props: NounListPageProps<Row>) {
  const { noun, title, description, newLabel, answer, columns, empty } = props;
  const editable = useMayEdit();
  const links = useNounLinks(noun);
  const newButton = editable && (
    <LinkButton link={links.create} leftSection={<AddIcon />}>
      {newLabel}
    </LinkButton>
  );
  return (
    <>
      <PageHeader title={title} description={description} actions={newButton} />
      <NounTable
        noun={noun}
        answer={answer}
        columns={columns}
        editable={editable}
        empty={
          <EmptyState scene={empty.scene} title={empty.title} actions={newButton}>
            {empty.text}
          </EmptyState>
        }
      />
    </>
  );
}
