import {
  ActionIcon,
  Anchor,
  Box,
  Button,
  Group,
  SimpleGrid,
  Table,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { $api } from '../../api/client';
import type { Evaluation, Indexer, JudgedQuery } from '../../api/types';
import { confirmDeletion } from '../../shared/confirm';
import { ListSkeleton } from '../../shared/ListSkeleton';
import { notifyDone, notifyError } from '../../shared/notify';
import { sayCount } from '../../shared/numbers';
import { RefreshIcon, TrashIcon } from '../../shared/pictures/icons';
import surfaces from '../../shared/surfaces.module.css';
import tables from '../../shared/table/DataTable.module.css';
import { SearchTrouble } from '../SearchTrouble';
import classes from './lab.module.css';
import { MeasureBar } from './MeasureBar';
import { enoughQueries, measures, sayMeasure, wantedIn, type QueryMeasures } from './measures';

function Overall({ overall }: { overall: Evaluation['overall'] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} mb="md">
      {measures.map(({ name, label, about }) => (
        <div key={name} className={`${surfaces.card} ${classes.overall}`}>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text className={classes.overallValue}>{sayMeasure(overall[name])}</Text>
          <span className={classes.track} aria-hidden="true">
            <span className={classes.fill} style={{ width: `${overall[name] * 100}%` }} />
          </span>
          <Text size="sm" c="dimmed" mt={6}>
            {about}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

function useDeletion() {
  const remove = $api.useMutation('delete', '/api/v1/judged-queries/{id}', {
    onError: notifyError,
    onSuccess: () => notifyDone('The judged query is deleted.'),
  });
  return ({ id, text }: JudgedQuery) =>
    confirmDeletion({
      what: `the judgements of “${text}”`,
      consequence: 'The documents stay; only what was judged of them for this query goes.',
      onConfirm: () => remove.mutate({ params: { path: { id } } }),
    });
}

interface QueryRowProps {
  query: JudgedQuery;
  measured: QueryMeasures | undefined;
  onDelete?: () => void;
}

function QueryRow({ query, measured, onDelete }: QueryRowProps) {
  const wanted = wantedIn(query);
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Anchor
          fz="sm"
          fw={600}
          renderRoot={(props) => <Link to="." search={{ q: query.text }} {...props} />}
        >
          {query.text}
        </Anchor>
        <Text size="xs" c="dimmed" fw={400}>
          {sayCount(query.judgements.length, 'result')} judged, {wanted} wanted
          {measured && measured.found < measured.relevant ? `, ${measured.found} of them found` : ''}
        </Text>
      </Table.Th>
      {measured ? (
        measures.map(({ name }) => (
          <Table.Td key={name}>
            <MeasureBar value={measured[name]} />
          </Table.Td>
        ))
      ) : (
        <Table.Td colSpan={measures.length} c="dimmed">
          {wanted === 0 ? 'No wanted result yet: give one a grade above 0.' : '–'}
        </Table.Td>
      )}
      {onDelete && (
        <Table.Td w={44}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Delete the judgements of ${query.text}`}
            onClick={onDelete}
          >
            <TrashIcon />
          </ActionIcon>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

interface QueryTableProps {
  queries: JudgedQuery[];
  evaluation?: Evaluation;
  mayEdit: boolean;
}

/** Every judged query, how much was judged of it, and how well it is answered. */
export function QueryTable({ queries, evaluation, mayEdit }: QueryTableProps) {
  const deleteQuery = useDeletion();
  return (
    <Box className={surfaces.card}>
      <Table.ScrollContainer minWidth={320} type="native">
        <Table
          aria-label="Judged queries"
          verticalSpacing="xs"
          horizontalSpacing="sm"
          className={`${tables.table} ${classes.queries}`}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Query</Table.Th>
              {measures.map(({ name, label }) => (
                <Table.Th key={name}>{label}</Table.Th>
              ))}
              {mayEdit && (
                <Table.Th>
                  <VisuallyHidden>Delete</VisuallyHidden>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {queries.map((query) => (
              <QueryRow
                key={query.id}
                query={query}
                measured={evaluation?.queries.find(({ id }) => id === query.id)}
                onDelete={mayEdit ? () => deleteQuery(query) : undefined}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}

/** How good the stored settings are on what was judged. */
export function MeasurePanel({ indexer, judged }: { indexer: Indexer; judged: JudgedQuery[] }) {
  const params = { path: { id: indexer.id } };
  const evaluation = $api.useQuery(
    'post',
    '/api/v1/indexers/{id}/evaluate',
    { params, body: {} },
    { enabled: judged.some((query) => wantedIn(query) > 0), staleTime: Infinity },
  );
  const { data, error, isFetching, refetch } = evaluation;
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed" maw={620}>
          How well the stored settings answer your {sayCount(judged.length, 'judged query', 'judged queries')}
          , from 0 to 1.
          {judged.length < enoughQueries &&
            ` Judge at least ${enoughQueries}: with fewer, chance decides much of these numbers.`}
        </Text>
        <Button
          variant="default"
          leftSection={<RefreshIcon size={16} />}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          Measure again
        </Button>
      </Group>
      {error && <SearchTrouble error={error} retry={() => void refetch()} />}
      {isFetching && !data && <ListSkeleton rows={1} height={120} />}
      {data && !error && <Overall overall={data.overall} />}
      <QueryTable queries={judged} evaluation={error ? undefined : data} mayEdit />
    </>
  );
}
