import { Anchor, Box, Image, Table } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { ResultColumn, SearchResult } from '../api/types';
import surfaces from '../shared/surfaces.module.css';
import tables from '../shared/table/DataTable.module.css';
import { Pieces } from './Pieces';
import { ColumnValue, type ResultActions } from './ResultItem';
import { addressesIn, titleColumn } from './values';

function Cell({ column, result, isTitle }: { column: ResultColumn; result: SearchResult; isTitle: boolean }) {
  if (isTitle) {
    return (
      <Anchor href={result.url} target="_blank" rel="noreferrer" fz="sm" fw={600}>
        <Pieces pieces={result.title} />
      </Anchor>
    );
  }
  if (column.kind === 'image') {
    const [picture] = addressesIn(result.fields[column.name]);
    return picture ? (
      <Image
        src={picture}
        alt={column.name}
        h={44}
        w={44}
        fit="contain"
        loading="lazy"
        referrerPolicy="no-referrer"
      />
    ) : null;
  }
  return <ColumnValue column={column} result={result} />;
}

const longText = 60;

/** Text needs room, dates and numbers stay on one line; what does not fit is scrolled to. */
function widthOf({ kind, name }: ResultColumn, isTitle: boolean, results: SearchResult[]): CSSProperties {
  const isLong = isTitle || results.some(({ fields }) => String(fields[name] ?? '').length > longText);
  if (kind === 'text') return { minWidth: isLong ? 240 : 110, maxWidth: 360 };
  return kind === 'link' ? { maxWidth: 260, overflowWrap: 'anywhere' } : { whiteSpace: 'nowrap' };
}

interface ResultTableProps {
  results: SearchResult[];
  columns: ResultColumn[];
  actions: ResultActions;
}

/** Results as a table whose columns follow the inspectors. */
export function ResultTable({ results, columns, actions }: ResultTableProps) {
  const title = titleColumn(columns);
  const isNumber = ({ kind }: ResultColumn) => kind === 'price' || kind === 'number';
  return (
    <Box className={surfaces.card}>
      <Table.ScrollContainer minWidth={520} type="native">
        <Table aria-label="Results" verticalSpacing="xs" horizontalSpacing="md" className={tables.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>#</Table.Th>
              {columns.map((column) => (
                <Table.Th key={column.name} ta={isNumber(column) ? 'end' : undefined}>
                  {column.name}
                </Table.Th>
              ))}
              <Table.Th>Why</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.map((result) => (
              <Table.Tr key={result.key}>
                <Table.Td c="dimmed">{result.rank}</Table.Td>
                {columns.map((column) => (
                  <Table.Td
                    key={column.name}
                    ta={isNumber(column) ? 'end' : undefined}
                    style={{
                      fontVariantNumeric: 'tabular-nums',
                      ...widthOf(column, column === title, results),
                    }}
                  >
                    <Cell column={column} result={result} isTitle={column === title} />
                  </Table.Td>
                ))}
                <Table.Td>
                  <Anchor
                    component="button"
                    type="button"
                    fz="sm"
                    aria-label={`Why this rank: ${result.title.map(({ text }) => text).join('')}`}
                    onClick={() => actions.explainResult(result)}
                  >
                    Why
                  </Anchor>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Box>
  );
}
