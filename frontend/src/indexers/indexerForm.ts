import { randomId } from '@mantine/hooks';
import type { Column, Indexer, IndexerRequest } from '../api/types';
import { readLines } from '../shared/forms/fieldErrors';
import { recordFrom, rowsFrom, type RecordRow } from '../shared/forms/records';
import { canWeigh } from './ranking';

export interface ColumnValues {
  uid: string;
  id?: number;
  name: string;
  sources: string[];
  variable: string;
  boost: number | '';
  language: string;
  searchable: boolean;
  reduction: Column['reduction'];
  facet: boolean;
}

/** What the form holds exactly as the API has it. */
const plain = [
  'k',
  'b',
  'formula',
  'stop_words',
  'language',
  'language_stop_words',
  'joining',
  'idf',
  'page_text',
  'hits',
  'safe_search',
  'hide_duplicates',
  'live',
  'public',
  'public_origins',
] as const;
type Plain = Pick<Indexer, (typeof plain)[number]>;

function plainOf(source: Plain): Plain {
  return Object.fromEntries(plain.map((name) => [name, source[name]])) as Plain;
}

/** An indexer as the form holds it: synonyms as lines, maps as rows, the dictionary as a choice. */
export interface IndexerValues extends Plain {
  name: string;
  description: string;
  columns: ColumnValues[];
  /** Ids of the chosen crawlers; none: all whose templates fill the columns. */
  crawlers: string[];
  weights: RecordRow<number>[];
  small_words: number | '';
  word_weights: RecordRow<number>[];
  synonyms: string;
  dictionary: string | null;
  q: number | '';
  max_loss_percent: number | '';
  public_per_minute: number | '';
}

export function newColumn(): ColumnValues {
  return {
    ...{ uid: randomId(), name: '', sources: [], variable: '', boost: 1, language: '', searchable: true },
    reduction: 'stem',
    facet: false,
  };
}

export function emptyIndexer(): IndexerValues {
  return {
    name: '',
    description: '',
    columns: [newColumn()],
    crawlers: [],
    k: 1.75,
    b: 0.75,
    formula: '',
    weights: [],
    small_words: 0,
    stop_words: [],
    word_weights: [],
    synonyms: '',
    dictionary: null,
    q: 3,
    language: 'en',
    language_stop_words: false,
    joining: 'and',
    idf: 'thesis',
    page_text: false,
    hits: false,
    safe_search: false,
    hide_duplicates: false,
    live: true,
    max_loss_percent: 20,
    public: false,
    public_per_minute: 60,
    public_origins: [],
  };
}

function columnValues(column: Column, uid = randomId()): ColumnValues {
  return { ...column, uid };
}

/** A stored indexer as a form; columns keep the identities of `shown`. */
export function indexerValues(indexer: Indexer, shown?: IndexerValues): IndexerValues {
  const { name, description, small_words, q, max_loss_percent, public_per_minute } = indexer;
  return {
    ...plainOf(indexer),
    ...{ name, description, small_words, q, max_loss_percent, public_per_minute },
    columns: indexer.columns.map((column, at) => columnValues(column, shown?.columns[at]?.uid)),
    crawlers: indexer.crawlers.map(String),
    weights: rowsFrom(indexer.weights),
    word_weights: rowsFrom(indexer.word_weights),
    synonyms: indexer.synonyms.map((group) => group.join(', ')).join('\n'),
    dictionary: indexer.dictionary === null ? null : String(indexer.dictionary),
  };
}

function readSynonyms(text: string): string[][] {
  return readLines(text).map((line) =>
    line
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  );
}

function columnPayload({ uid: _uid, boost, ...column }: ColumnValues) {
  return {
    ...column,
    name: column.name.trim(),
    variable: column.variable.trim(),
    boost: boost === '' ? 1 : boost,
  };
}

export function indexerPayload(values: IndexerValues, project: number): IndexerRequest {
  return {
    ...plainOf(values),
    project,
    description: values.description,
    name: values.name.trim(),
    columns: values.columns.map(columnPayload),
    crawlers: values.crawlers.map(Number),
    weights: recordFrom(values.weights.filter(({ name }) => canWeigh(name, values.hits))),
    word_weights: recordFrom(values.word_weights),
    small_words: values.small_words === '' ? 0 : values.small_words,
    synonyms: readSynonyms(values.synonyms),
    dictionary: values.dictionary === null ? null : Number(values.dictionary),
    q: values.q === '' ? 3 : values.q,
    max_loss_percent: values.max_loss_percent === '' ? 20 : values.max_loss_percent,
    public_per_minute: values.public_per_minute === '' ? 60 : values.public_per_minute,
  };
}
