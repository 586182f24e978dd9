import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ColumnDef } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { actionsColumn } from '../table/actionsColumn';
import { DataTable, type TableAnswer } from '../table/DataTable';
import { useTableSearch } from '../table/tableSearch';
import { Moment } from '../time';
import { RowMenu } from './RowMenu';
import { useNounActions, useNounLinks, type NounPath } from './useNounActions';

interface Noun {
  id: number;
  name: string;
  description: string;
  updated_at: string;
}

interface NounTableProps<Row extends Noun> {
  noun: NounPath;
  answer: TableAnswer<Row>;
  /** The columns between the name and the time of the last change. */
  columns: ColumnDef<Row>[];
  editable: boolean;
  empty: ReactNode;
}

/** The table every configuration noun has: its name as the way in, its own columns, last change, actions. */
export function NounTable<Row extends Noun>({ noun, answer, columns, editable, empty }: NounTableProps<Row>) {
  const [state, changeState] = useTableSearch();
  const links = useNounLinks(noun);
  const { duplicateNoun, deleteNoun } = useNounActions(noun);
  const all: ColumnDef<Row>[] = [
    {
      id: 'name',
      header: 'Name',
      enableSorting: true,
      cell: ({ row: { original } }) => (
        <>
          <Anchor renderRoot={(link) => <Link {...links.open(original)} {...link} />} fw={600} fz="sm">
            {original.name}
          </Anchor>
          {original.description && (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {original.description}
            </Text>
          )}
        </>
      ),
    },
    ...columns,
    {
      id: 'updated_at',
      header: 'Changed',
      enableSorting: true,
      meta: { hideBelow: 'sm' },
      cell: ({ row: { original } }) => <Moment value={original.updated_at} />,
    },
  ];
  if (editable) {
    all.push(
      actionsColumn((original) => (
        <RowMenu
          name={original.name}
          editLink={links.open(original)}
          onDuplicate={() => duplicateNoun(original)}
          onDelete={() => deleteNoun(original)}
        />
      )),
    );
  }
  return (
    <DataTable
      label={noun}
      columns={all}
      answer={answer}
      state={state}
      onStateChange={changeState}
      empty={empty}
    />
  );
}
