import type { Column, Indexer, TriedSettings } from '../../api/types';
import { usualWeight } from '../../indexers/ranking';

/** A whole ranking, as it is edited. What is not in `weights` has its usual weight. */
export interface Settings {
  k: number;
  b: number;
  formula: string;
  weights: Record<string, number>;
  boosts: Record<string, number>;
}

/** The ranking an indexer has; boosts of the columns whose words are searched. */
export function storedSettings(indexer: Indexer, searched: string[]): Settings {
  const { k, b, formula, weights, columns } = indexer;
  const boosts = columns
    .filter(({ name }) => searched.includes(name))
    .map(({ name, boost }) => [name, boost] as const);
  return { k, b, formula, weights, boosts: Object.fromEntries(boosts) };
}

/** Settings with what was found or tried in the place of theirs. */
export function withTried(settings: Settings, tried: TriedSettings): Settings {
  return {
    k: tried.k ?? settings.k,
    b: tried.b ?? settings.b,
    formula: tried.formula ?? settings.formula,
    weights: tried.weights ?? settings.weights,
    boosts: { ...settings.boosts, ...tried.boosts },
  };
}

export interface Change {
  label: string;
  before: string;
  after: string;
}

type Numbers = Record<string, number>;

const say = (value: number) => value.toLocaleString();

/** `usual` is the number of a name that is absent. */
function recordChanges(
  before: Numbers,
  after: Numbers,
  { label, usual }: { label: string; usual: (name: string) => number },
): Change[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, was: before[name] ?? usual(name), is: after[name] ?? usual(name) }))
    .filter(({ was, is }) => was !== is)
    .map(({ name, was, is }) => ({ label: `${label} of ${name}`, before: say(was), after: say(is) }));
}

/** What differs between two settings, in words. */
export function changesBetween(before: Settings, after: Settings): Change[] {
  const numbers = (['k', 'b'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      label: name === 'k' ? 'Repetition (k)' : 'Length (b)',
      before: say(before[name]),
      after: say(after[name]),
    }));
  const formula =
    before.formula.trim() === after.formula.trim()
      ? []
      : [{ label: 'Formula', before: before.formula || 'none', after: after.formula || 'none' }];
  return [
    ...numbers,
    ...formula,
    ...recordChanges(before.boosts, after.boosts, { label: 'Boost', usual: () => 1 }),
    ...recordChanges(before.weights, after.weights, { label: 'Weight', usual: usualWeight }),
  ];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Only what differs from the stored settings: what is left out stays as it is stored. */
export function triedOf(settings: Settings, stored: Settings): TriedSettings {
  const boosts = Object.entries(settings.boosts).filter(([name, boost]) => boost !== stored.boosts[name]);
  return {
    ...(settings.k === stored.k ? {} : { k: settings.k }),
    ...(settings.b === stored.b ? {} : { b: settings.b }),
    ...(settings.formula === stored.formula ? {} : { formula: settings.formula }),
    ...(isSame(settings.weights, stored.weights) ? {} : { weights: settings.weights }),
    ...(boosts.length ? { boosts: Object.fromEntries(boosts) } : {}),
  };
}

function boostedColumns(columns: Column[], boosts: Record<string, number>): Column[] {
  return columns.map((column) => ({ ...column, boost: boosts[column.name] ?? column.boost }));
}

/** The change of an indexer that makes tried settings its own. */
export function takeOverBody({ columns }: Indexer, { boosts, ...tried }: TriedSettings) {
  return { ...tried, ...(boosts ? { columns: boostedColumns(columns, boosts) } : {}) };
}
