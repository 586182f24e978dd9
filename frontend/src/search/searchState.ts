import type { SearchBody, SearchCondition } from '../api/types';
import { readWholeNumber } from '../shared/table/tableSearch';
import type { FacetWish } from './facets';

export const resultsPerPage = 10;
/** The server pages through so many results; more of them come with an export. */
export const deepestResult = 10_000;

/** What of a search lives in the address. `facets` holds chosen values, or one range, by field. */
export interface SearchState {
  q?: string;
  page?: number;
  sort?: string;
  facets?: Record<string, string[]>;
  /** Search for exactly what was typed, without mending it. */
  exact?: true;
  /** Show near-duplicates too. */
  all?: true;
  /** Leave out unsafe documents, or show them; absent: as the indexer says. */
  safe?: boolean;
  view?: 'table';
}

function readFacets(raw: unknown): SearchState['facets'] {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const chosen = Object.entries(raw)
    .map(([field, values]) => [field, Array.isArray(values) ? values.map(String) : []] as const)
    .filter(([, values]) => values.length > 0);
  return chosen.length ? Object.fromEntries(chosen) : undefined;
}

const readFlag = (raw: unknown): true | undefined => (raw === true ? true : undefined);

/** Read a search out of the address; anything odd counts as absent. */
export function readSearchState(raw: Record<string, unknown>): SearchState {
  const page = readWholeNumber(raw.page);
  const text = raw.q === undefined || raw.q === null ? '' : String(raw.q);
  return {
    q: text.trim() ? text : undefined,
    page: page !== undefined && page > 1 ? page : undefined,
    sort: typeof raw.sort === 'string' && raw.sort ? raw.sort : undefined,
    facets: readFacets(raw.facets),
    exact: readFlag(raw.exact),
    all: readFlag(raw.all),
    safe: typeof raw.safe === 'boolean' ? raw.safe : undefined,
    view: raw.view === 'table' ? 'table' : undefined,
  };
}

interface Range {
  low: string | null;
  high: string | null;
  /** Whether the upper end belongs to it. */
  withHigh: boolean;
}

/** `10..20` ends below 20, `10..=20` takes 20 in; either end may be absent. Null where it is no range. */
export function readRange(value: string): Range | null {
  const found = /^(\S*?)\.\.(=?)(\S*)$/.exec(value);
  if (!found || (!found[1] && !found[3])) return null;
  return { low: found[1] || null, high: found[3] || null, withHigh: found[2] === '=' };
}

export function writeRange({ low, high, withHigh }: Range): string {
  return `${low ?? ''}..${withHigh ? '=' : ''}${high ?? ''}`;
}

function conditionsOf(state: SearchState, rangeFields: Set<string>): SearchCondition[] {
  return Object.entries(state.facets ?? {}).map(([field, values]) => {
    const range = rangeFields.has(field) ? readRange(values[0] ?? '') : null;
    const ends = { with_low: true, with_high: range?.withHigh ?? false };
    return range ? { field, low: range.low, high: range.high, ...ends } : { field, values, ...ends };
  });
}

/** The fields whose choices are ranges. */
function rangeFieldsOf(wishes: FacetWish[]): Set<string> {
  return new Set(wishes.filter(({ edges }) => edges).map(({ field }) => field));
}

/** The search as the server wants it. */
export function searchBody(state: SearchState, wishes: FacetWish[]): SearchBody {
  return {
    q: state.q ?? '',
    page: state.page ?? 1,
    page_size: resultsPerPage,
    ...(state.sort ? { sort: state.sort } : {}),
    correct: !state.exact,
    explain: false,
    ...(state.all ? { group: false } : {}),
    ...(state.safe === undefined ? {} : { safe: state.safe }),
    filters: conditionsOf(state, rangeFieldsOf(wishes)),
    facets: wishes.map(({ field, size = 10, edges }) => ({ field, size, ...(edges ? { edges } : {}) })),
  };
}

/** What an address would read as a comparison, a range or a quotation although it is meant as a value. */
const readsOtherwise = /^[<>"]|\.\./;

function valueText(value: string): string {
  return readsOtherwise.test(value) ? `"${value}"` : value;
}

/** A field's name as addresses have it. */
export function fieldText(name: string): string {
  return name.includes(':') || name.startsWith('"') ? `"${name}"` : name;
}

/** A condition as addresses have it. */
export function conditionTexts({ field, values, low, high, with_high }: SearchCondition): string[] {
  const name = fieldText(field);
  if (values) return values.map((value) => `${name}:${valueText(value)}`);
  const from = low === null || low === undefined ? [] : [`${name}:>=${low}`];
  return high === null || high === undefined ? from : [...from, `${name}:${with_high ? '<=' : '<'}${high}`];
}

/** Where the whole result can be downloaded. */
export function exportAddress(
  indexer: number,
  state: SearchState,
  wishes: FacetWish[],
  format: string,
): string {
  const parameters = new URLSearchParams({ format, q: state.q ?? '' });
  if (state.sort) parameters.set('sort', state.sort);
  if (state.exact) parameters.set('correct', '0');
  if (state.all) parameters.set('group', '0');
  if (state.safe !== undefined) parameters.set('safe', state.safe ? '1' : '0');
  for (const condition of conditionsOf(state, rangeFieldsOf(wishes)))
    for (const text of conditionTexts(condition)) parameters.append('filter', text);
  return `/api/v1/indexers/${indexer}/search/export?${parameters}`;
}

/** The choices of one field replaced; nothing chosen removes the field. Goes back to the first page. */
export function withChoice(state: SearchState, field: string, values: string[]): SearchState {
  return { ...state, page: undefined, facets: readFacets({ ...state.facets, [field]: values }) };
}

/** A value ticked where it was not, and the other way round. */
export function withValueToggled(state: SearchState, field: string, value: string): SearchState {
  const chosen = state.facets?.[field] ?? [];
  const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
  return withChoice(state, field, next);
}
