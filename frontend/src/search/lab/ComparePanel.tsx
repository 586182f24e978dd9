import { Badge, Box, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { $api } from '../../api/client';
import { ApiError, isStatus, type FieldErrors } from '../../api/errors';
import type { Indexer, SettingsComparison, TriedSettings } from '../../api/types';
import { ListSkeleton } from '../../shared/ListSkeleton';
import surfaces from '../../shared/surfaces.module.css';
import tables from '../../shared/table/DataTable.module.css';
import { SearchTrouble } from '../SearchTrouble';
import { ChangeList } from './ChangeList';
import classes from './lab.module.css';
import { DifferenceBar, MeasureBar } from './MeasureBar';
import { measures, sayDifference, sayMeasure, verdictOf } from './measures';
import { changesBetween, triedOf, withTried, type Settings } from './settings';
import { SettingsEditor, type Preset } from './SettingsEditor';
import { useTakeOver } from './useLab';

function OverallTable({ comparison }: { comparison: SettingsComparison }) {
  return (
    <Table aria-label="Overall" verticalSpacing="xs" horizontalSpacing="md" className={tables.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Overall</Table.Th>
          <Table.Th>A</Table.Th>
          <Table.Th>B</Table.Th>
          <Table.Th ta="end">Difference</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {measures.map(({ name, label }) => {
          const [one, other] = [comparison.first.overall[name], comparison.second.overall[name]];
          return (
            <Table.Tr key={name}>
              <Table.Th scope="row">{label}</Table.Th>
              <Table.Td>
                <MeasureBar value={one} />
              </Table.Td>
              <Table.Td>
                <MeasureBar value={other} />
              </Table.Td>
              <Table.Td ta="end" className={classes.verdict} data-verdict={verdictOf(other - one)}>
                {sayDifference(other - one)}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

/** Small differences shall not look great only because there are no greater ones. */
const leastScale = 0.1;

function QueriesTable({ differences }: Pick<SettingsComparison, 'differences'>) {
  const sorted = [...differences].sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const most = Math.max(Math.abs(sorted[0]?.difference ?? 0), leastScale);
  return (
    <Table aria-label="Query by query" verticalSpacing="xs" horizontalSpacing="md" className={tables.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Query (nDCG@10)</Table.Th>
          <Table.Th ta="end">A</Table.Th>
          <Table.Th ta="end">B</Table.Th>
          <Table.Th>B is</Table.Th>
          <Table.Td w="30%" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sorted.map(({ id, query, first, second, difference }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row" fw={600}>
              {query}
            </Table.Th>
            <Table.Td ta="end">{sayMeasure(first)}</Table.Td>
            <Table.Td ta="end">{sayMeasure(second)}</Table.Td>
            <Table.Td className={classes.verdict} data-verdict={verdictOf(difference)}>
              {verdictOf(difference) === 'same'
                ? 'the same'
                : `${verdictOf(difference)} (${sayDifference(difference)})`}
            </Table.Td>
            <Table.Td>
              <DifferenceBar value={difference} most={most} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Outcome({ comparison }: { comparison: SettingsComparison }) {
  const { better, worse, same, differences } = comparison;
  return (
    <section aria-label="Comparison">
      <Group gap="xs" mb="md">
        <Title order={2}>B is</Title>
        <Badge size="lg" variant="light" color={better ? 'fern' : 'gray'} tt="none">
          better for {better}
        </Badge>
        <Badge size="lg" variant="light" color={worse ? 'red' : 'gray'} tt="none">
          worse for {worse}
        </Badge>
        <Badge size="lg" variant="light" color="gray" tt="none">
          the same for {same}
        </Badge>
      </Group>
      <Stack>
        <Box className={surfaces.card}>
          <Table.ScrollContainer minWidth={420} type="native">
            <OverallTable comparison={comparison} />
          </Table.ScrollContainer>
        </Box>
        <Box className={surfaces.card}>
          <Table.ScrollContainer minWidth={480} type="native">
            <QueriesTable differences={differences} />
          </Table.ScrollContainer>
        </Box>
      </Stack>
    </section>
  );
}

/** The refusals of one side, without its name. */
function errorsOf(error: unknown, side: 'first' | 'second'): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields)
      .filter(([path]) => path.startsWith(`${side}.`))
      .map(([path, sentences]) => [path.slice(side.length + 1), sentences]),
  );
}

interface Sides {
  first: TriedSettings;
  second: TriedSettings;
}

function useComparison(indexer: number, sides: Sides | null) {
  const body = sides ?? { first: {}, second: {} };
  return $api.useQuery(
    'post',
    '/api/v1/indexers/{id}/compare',
    { params: { path: { id: indexer } }, body },
    { enabled: sides !== null, staleTime: Infinity },
  );
}

interface ComparePanelProps {
  indexer: Indexer;
  stored: Settings;
  /** Settings a search has found, as a place to begin. */
  found?: Settings;
  /** What B begins with. */
  initial?: Settings;
}

/** Two settings side by side, tried on the judged queries without saving anything. */
export function ComparePanel({ indexer, stored, found, initial }: ComparePanelProps) {
  const [first, setFirst] = useState(stored);
  const [second, setSecond] = useState(initial ?? stored);
  const [sides, setSides] = useState<Sides | null>(
    initial && changesBetween(stored, initial).length
      ? { first: {}, second: triedOf(initial, stored) }
      : null,
  );
  const { data, error, isFetching, refetch } = useComparison(indexer.id, sides);
  const { takeOver, isPending } = useTakeOver(indexer);
  const presets: Preset[] = [
    { label: 'the stored settings', settings: stored },
    { label: 'words only', settings: { ...stored, formula: '', weights: {} } },
    ...(found ? [{ label: 'the found settings', settings: found }] : []),
  ];
  const columns = Object.keys(stored.boosts);
  const changes = changesBetween(withTried(stored, first), withTried(stored, second));
  const compareSides = () => setSides({ first: triedOf(first, stored), second: triedOf(second, stored) });
  const isRefused = isStatus(error, 400);
  return (
    <Stack gap="lg">
      <Text c="dimmed" maw={640}>
        Change something in B and compare. Nothing is saved, and nobody’s search changes, until you take
        settings over.
      </Text>
      <div className={classes.sides}>
        <SettingsEditor
          legend="A"
          hits={indexer.hits}
          {...{ settings: first, presets, columns, errors: errorsOf(error, 'first'), onChange: setFirst }}
        />
        <SettingsEditor
          legend="B"
          hits={indexer.hits}
          {...{ settings: second, presets, columns, errors: errorsOf(error, 'second'), onChange: setSecond }}
        />
      </div>
      <ChangeList
        changes={changes}
        before="A"
        after="B"
        empty="A and B are the same: change something in B."
      />
      <Group>
        <Button onClick={compareSides} loading={isFetching} disabled={changes.length === 0}>
          Compare
        </Button>
        <Button
          variant="default"
          disabled={isPending || Object.keys(triedOf(second, stored)).length === 0}
          onClick={() => takeOver(triedOf(second, stored))}
        >
          Use B in the indexer
        </Button>
      </Group>
      {error && <SearchTrouble error={error} retry={() => void refetch()} />}
      {isFetching && !data && <ListSkeleton rows={3} />}
      {data && !isRefused && !error && <Outcome comparison={data} />}
    </Stack>
  );
}
