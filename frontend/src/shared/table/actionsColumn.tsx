import { VisuallyHidden } from '@mantine/core';
import type { ColumnDef } from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** The last column of a table: what can be done with each row. */
export function actionsColumn<Row>(menuOf: (row: Row) => ReactNode): ColumnDef<Row> {
  return {
    id: 'actions',
    header: () => <VisuallyHidden>Actions</VisuallyHidden>,
    meta: { align: 'right' },
    cell: ({ row }) => menuOf(row.original),
  };
}
