import { Group, Table, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChevronDownIcon, ChevronUpIcon, SortIcon } from '../pictures/icons';

interface SortableHeaderProps {
  id: string;
  sortable: boolean;
  meta: { hideBelow?: 'sm' | 'md'; align?: 'right' } | undefined;
  ordering: string | undefined;
  onSort: (ordering: string | undefined) => void;
  children: ReactNode;
}

/** Ascending, then descending, then as the server likes it. */
export function nextOrdering(id: string, ordering: string | undefined): string | undefined {
  if (ordering === id) return `-${id}`;
  return ordering === `-${id}` ? undefined : id;
}

function ariaSort(id: string, ordering: string | undefined) {
  if (ordering === id) return 'ascending';
  return ordering === `-${id}` ? 'descending' : 'none';
}

export function SortableHeader({ id, sortable, meta, ordering, onSort, children }: SortableHeaderProps) {
  if (!sortable) {
    return (
      <Table.Th visibleFrom={meta?.hideBelow} ta={meta?.align}>
        {children}
      </Table.Th>
    );
  }
  const direction = ariaSort(id, ordering);
  const Arrow = { ascending: ChevronUpIcon, descending: ChevronDownIcon, none: SortIcon }[direction];
  return (
    <Table.Th visibleFrom={meta?.hideBelow} ta={meta?.align} aria-sort={direction}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        c="inherit"
        onClick={() => onSort(nextOrdering(id, ordering))}
      >
        <Group gap={4} wrap="nowrap" display="inline-flex">
          {children}
          <Arrow size={14} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}
