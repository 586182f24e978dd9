import type { ReactNode } from 'react';
import { ErrorPanel } from '../ErrorPanel';
import { ListSkeleton } from '../ListSkeleton';
import { PageHeader } from '../PageHeader';
import { useNounLinks, type NounPath } from './useNounActions';

interface NounPageProps<Noun> {
  noun: NounPath;
  /** The title of the list, which the breadcrumb leads back to. */
  listTitle: string;
  answer: { data: Noun | undefined; error: unknown; refetch: () => unknown };
  /** What can be done with the noun beside editing it. */
  actions?: (noun: Noun) => ReactNode;
  children: (noun: Noun) => ReactNode;
}

/** The page of one configuration noun: its name on top, its form below, or what stands in their place. */
export function NounPage<Noun extends { name: string; description: string }>(props: NounPageProps<Noun>) {
  const { noun, listTitle, answer, actions, children } = props;
  const crumbs = [{ label: listTitle, link: useNounLinks(noun).list }];
  const { data, error, refetch } = answer;
  if (error && !data) return <ErrorPanel wholePage error={error} retry={() => void refetch()} />;
  return (
    <>
      <PageHeader title={data?.name ?? '…'} crumbs={crumbs} actions={data && actions?.(data)} />
      {data ? children(data) : <ListSkeleton rows={4} height={90} />}
    </>
  );
}

interface NewNounPageProps {
  noun: NounPath;
  listTitle: string;
  title: string;
  description: string;
  children: ReactNode;
}

export function NewNounPage({ noun, listTitle, title, description, children }: NewNounPageProps) {
  const crumbs = [{ label: listTitle, link: useNounLinks(noun).list }];
  return (
    <>
      <PageHeader title={title} crumbs={crumbs} description={description} />
      {children}
    </>
  );
}
