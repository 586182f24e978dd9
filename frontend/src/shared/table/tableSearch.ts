import { useNavigate, useSearch } from '@tanstack/react-router';

/** What of a table lives in the address, so that it survives a reload and can be shared. */
export interface TableSearch {
  search?: string;
  ordering?: string;
  page?: number;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A positive whole number out of the address, or nothing. */
export function readWholeNumber(raw: unknown): number | undefined {
  const number = Number(raw);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** Read a table's state out of the address; anything odd counts as absent. */
export function readTableSearch(raw: Record<string, unknown>): TableSearch {
  const page = Number(raw.page);
  return {
    search: text(raw.search === undefined ? undefined : String(raw.search)),
    ordering: text(raw.ordering),
    page: Number.isInteger(page) && page > 1 ? page : undefined,
  };
}

/** The table state in the address, and how to change it. Any change but paging goes back to the first page. */
export function useTableSearch(): [TableSearch, (change: TableSearch) => void] {
  const state = readTableSearch(useSearch({ strict: false }) as Record<string, unknown>);
  const navigate = useNavigate();
  const change = (patch: TableSearch) =>
    void navigate({
      to: '.',
      search: ((previous: object) => ({ ...previous, page: undefined, ...patch })) as never,
      replace: true,
    });
  return [state, change];
}

export const pageSize = 25;

/** The address's table state as the API wants it. */
export function listQuery({ search, ordering, page }: TableSearch) {
  return { search, ordering, page: page ?? 1, page_size: pageSize };
}
