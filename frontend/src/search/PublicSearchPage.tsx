import { Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link, useParams } from '@tanstack/react-router';
import { useAccount } from '../accounts/session';
import { $api } from '../api/client';
import { LinkButton } from '../shared/LinkButton';
import { LogoMark } from '../shared/pictures/Logo';
import { NotFound } from '../shell/NotFound';
import classes from './search.module.css';
import { SearchView } from './SearchView';

/** What a member of its project knows of an indexer; visitors know nothing but its answers. */
function useIndexerOfMember(id: number, isSignedIn: boolean) {
  const options = { enabled: isSignedIn && id > 0, retry: false };
  return $api.useQuery('get', '/api/v1/indexers/{id}', { params: { path: { id } } }, options).data;
}

/** A search for everybody: no navigation, no sign-in where the indexer is public. */
export function PublicSearchPage() {
  const { indexerId } = useParams({ strict: false });
  const id = Number(indexerId);
  const account = useAccount();
  const indexer = useIndexerOfMember(id, account !== null);
  const title = indexer?.name ?? 'Search';
  useDocumentTitle(`${title} · Gleaner`);
  const open = indexer && {
    to: '/projects/$projectId/indexers/$id' as const,
    params: { projectId: String(indexer.project), id: String(id) },
  };
  if (!Number.isInteger(id) || id < 1) return <NotFound />;
  return (
    <div className={classes.publicShell}>
      <header className={classes.publicHeader}>
        <Link to="/" className={classes.brand} aria-label="Gleaner">
          <LogoMark size={26} />
          <Text component="span" fw={700} lts="-0.02em">
            Gleaner
          </Text>
        </Link>
        {open ? (
          <LinkButton variant="default" size="xs" link={open}>
            Open the indexer
          </LinkButton>
        ) : (
          !account && (
            <LinkButton variant="default" size="xs" link={{ to: '/login', search: {} }}>
              Sign in
            </LinkButton>
          )
        )}
      </header>
      <main id="main">
        <Title order={1} mb="md" tabIndex={-1}>
          {title}
        </Title>
        <SearchView
          key={id}
          indexer={id}
          placeholder="What are you looking for?"
          buildAction={open && <LinkButton link={open}>Open the indexer and start it</LinkButton>}
        />
      </main>
    </div>
  );
}
