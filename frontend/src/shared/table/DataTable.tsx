import { Box, Group, Pagination, Skeleton, Table, Text } from '@mantine/core';
import {
  flexRender,
  getCoreRowModel,
  useReactTable,
  type ColumnDef,
  type RowData,
} from '@tanstack/react-table';
import { useEffect, type ReactNode } from 'react';
import { isStatus } from '../../api/errors';
import surfaces from '../surfaces.module.css';
import { ErrorPanel } from '../ErrorPanel';
import { sayNumber } from '../numbers';
import { SearchBox } from './SearchBox';
import { SortableHeader } from './SortableHeader';
import classes from './DataTable.module.css';
import { pageSize, type TableSearch } from './tableSearch';

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData extends RowData, TValue> {
    /** Narrow screens leave this column out. */
    hideBelow?: 'sm' | 'md';
    align?: 'right';
  }
}

export interface TableAnswer<Row> {
  data: { count: number; results: Row[] } | undefined;
  error: unknown;
  refetch: () => unknown;
  isPlaceholderData: boolean;
}

interface DataTableProps<Row> {
  /** What the rows are, e.g. "templates": names the table and its search box. */
  label: string;
  columns: ColumnDef<Row>[];
  answer: TableAnswer<Row>;
  state: TableSearch;
  onStateChange: (change: TableSearch) => void;
  /** Shown in the table's place when there is nothing at all (not merely nothing found). */
  empty: ReactNode;
  filters?: ReactNode;
  isFiltered?: boolean;
  searchable?: boolean;
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 5 }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={14} width={column === 0 ? '70%' : '45%'} my={6} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

/** A page beyond the end, as when its last rows are gone while it is looked at, leads back to the first. */
function useStayWithinPages<Row>({ answer, state, onStateChange }: DataTableProps<Row>): void {
  const isBeyond = state.page !== undefined && isStatus(answer.error, 404);
  useEffect(() => {
    if (isBeyond) onStateChange({ ...state, page: undefined });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once; the other two are new with every rendering
  }, [isBeyond]);
}

/** One page of rows from the server, with its search, sorting and paging held in the address. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    answer,
    state,
    onStateChange,
    empty,
    filters,
    isFiltered = false,
    searchable = true,
  } = props;
  useStayWithinPages(props);
  // TanStack Table hands out functions that React's compiler cannot follow; nothing here is memoised by it.
  // eslint-disable-next-line react-hooks/incompatible-library
  const table = useReactTable({
    data: answer.data?.results ?? [],
    columns,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    manualPagination: true,
  });
  if (answer.error && !answer.data)
    return <ErrorPanel error={answer.error} retry={() => void answer.refetch()} />;
  const count = answer.data?.count ?? 0;
  if (answer.data && count === 0 && !state.search && !isFiltered) return empty;
  const pages = Math.ceil(count / pageSize);
  const rows = table.getRowModel().rows;
  return (
    <Box className={surfaces.card}>
      {(searchable || filters) && (
        <Group p="md" gap="sm" className={classes.toolbar}>
          {searchable && (
            <SearchBox
              label={`Search ${label}`}
              value={state.search ?? ''}
              onSearch={(search) => onStateChange({ search: search || undefined })}
            />
          )}
          {filters}
        </Group>
      )}
      <Table.ScrollContainer minWidth={320} type="native">
        <Table
          aria-label={label}
          aria-busy={!answer.data}
          verticalSpacing="sm"
          horizontalSpacing="md"
          highlightOnHover
          className={classes.table}
          data-stale={answer.isPlaceholderData || undefined}
        >
          <Table.Thead>
            {table.getHeaderGroups().map((group) => (
              <Table.Tr key={group.id}>
                {group.headers.map((header) => (
                  <SortableHeader
                    key={header.id}
                    id={header.column.id}
                    sortable={header.column.columnDef.enableSorting === true}
                    meta={header.column.columnDef.meta}
                    ordering={state.ordering}
                    onSort={(ordering) => onStateChange({ ...state, ordering, page: undefined })}
                  >
                    {flexRender(header.column.columnDef.header, header.getContext())}
                  </SortableHeader>
                ))}
              </Table.Tr>
            ))}
          </Table.Thead>
          <Table.Tbody>
            {!answer.data && <SkeletonRows columns={columns.length} />}
            {rows.map((row) => (
              <Table.Tr key={row.id}>
                {row.getVisibleCells().map(({ id, column, getContext }) => (
                  <Table.Td
                    key={id}
                    visibleFrom={column.columnDef.meta?.hideBelow}
                    ta={column.columnDef.meta?.align}
                  >
                    {flexRender(column.columnDef.cell, getContext())}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {answer.data && count === 0 && (
        <Text ta="center" c="dimmed" py="xl" role="status">
          {state.search ? `Nothing matches “${state.search}”.` : 'Nothing matches these filters.'}
        </Text>
      )}
      {pages > 1 && (
        <Group justify="space-between" p="md" className={classes.footer}>
          <Text size="sm" c="dimmed">
            {sayNumber(count)} {label}
          </Text>
          <Pagination
            size="sm"
            total={pages}
            value={state.page ?? 1}
            onChange={(page) => onStateChange({ ...state, page })}
            getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </Box>
  );
}
