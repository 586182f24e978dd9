import type { Piece, ResultColumn, SearchResult } from '../api/types';

interface Price {
  amount: number;
  currency: string | null;
}

function isPrice(value: unknown): value is Price {
  return typeof value === 'object' && value !== null && typeof (value as Price).amount === 'number';
}

/** An amount as the reader's country writes it; a currency nobody knows is put behind it as it is. */
export function sayMoney(amount: number, currency: string | null): string {
  const digits = { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 };
  if (!currency) return amount.toLocaleString(undefined, digits);
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits }).format(amount);
  } catch {
    return `${amount.toLocaleString(undefined, digits)} ${currency}`;
  }
}

const wholeDay = /T00:00:00(\.0+)?Z$/;

/** A date as the reader writes it; a moment also has its time. */
export function sayDate(value: string): string {
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return value;
  return wholeDay.test(value) || !value.includes('T')
    ? moment.toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
    : moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A value of a column as text; empty where there is none. */
export function sayColumnValue(column: ResultColumn, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) return value.map((each) => sayColumnValue(column, each)).join(', ');
  if (isPrice(value)) return sayMoney(value.amount, value.currency);
  if (typeof value === 'number') return value.toLocaleString();
  return column.kind === 'date' ? sayDate(String(value)) : String(value);
}

/** The addresses in a value of a link or image column. */
export function addressesIn(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((each): each is string => typeof each === 'string' && /^https?:\/\//.test(each));
}

/** The one currency of these results in a column; null where there are several or none. */
export function currencyOf(results: SearchResult[], column: string): string | null {
  const found = new Set(
    results
      .map(({ fields }) => fields[column])
      .filter(isPrice)
      .map(({ currency }) => currency),
  );
  const [only] = found;
  return found.size === 1 ? (only ?? null) : null;
}

/** The column that names a result: the first whose words are searched. */
export function titleColumn(columns: ResultColumn[]): ResultColumn | undefined {
  return columns.find(({ is_searched }) => is_searched);
}

/** The first picture of a result. */
export function pictureOf(result: SearchResult, columns: ResultColumn[]): string | undefined {
  return columns
    .filter(({ kind }) => kind === 'image')
    .flatMap(({ name }) => addressesIn(result.fields[name]))[0];
}

/** An address for reading: without the scheme, with its letters as people write them. */
export function sayAddress(url: string): string {
  const bare = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  try {
    return decodeURI(bare);
  } catch {
    return bare;
  }
}

const longestFact = 90;

export interface Shown {
  /** The passage below the title; empty where there is none. */
  passage: Piece[];
  /** Columns worth a line of their own. */
  facts: ResultColumn[];
}

/** The longest text beside the title that is more than a word or two. */
function longestText(texts: { column: ResultColumn; text: string }[]): ResultColumn | undefined {
  const [longest] = texts
    .filter(({ column, text }) => column.kind === 'text' && text.includes(' ') && text.length > 30)
    .sort((one, other) => other.text.length - one.text.length);
  return longest?.column;
}

/**
 * What a result shows: a passage, and the values that are neither title, picture, price nor long text.
 *
 * A snippet that repeats a value shown anyway gives its place to the longest text.
 */
export function shownOf(result: SearchResult, columns: ResultColumn[]): Shown {
  const title = titleColumn(columns);
  const texts = columns
    .filter((column) => column !== title && column.kind !== 'image' && column.kind !== 'price')
    .map((column) => ({ column, text: sayColumnValue(column, result.fields[column.name]) }))
    .filter(({ text }) => text !== '');
  const snippet = result.snippet.map(({ text }) => text).join('');
  const repeats = texts.some(({ text }) => text === snippet);
  const told = repeats || !snippet ? longestText(texts) : undefined;
  const facts = texts.filter(({ column, text }) => column !== told && text.length <= longestFact);
  if (!repeats && snippet) return { passage: result.snippet, facts: facts.map(({ column }) => column) };
  const whole = texts.find(({ column }) => column === told)?.text ?? '';
  const plain = [{ text: whole.length > 240 ? `${whole.slice(0, 240)} …` : whole, match: false }];
  return {
    passage: told ? (result.highlights[told.name] ?? plain) : [],
    facts: facts.map(({ column }) => column),
  };
}
