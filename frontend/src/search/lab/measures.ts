import type { Evaluation, JudgedQuery } from '../../api/types';

export const measures = [
  { name: 'ndcg_at_10', label: 'nDCG@10', about: 'Do the best results come first?' },
  { name: 'map', label: 'MAP', about: 'Are all wanted documents found, and early?' },
  { name: 'precision_at_5', label: 'P@5', about: 'How many of the first five are wanted?' },
] as const;

export type MeasureName = (typeof measures)[number]['name'];

/** So many judged queries are needed before a measure says something about queries nobody judged. */
export const enoughQueries = 10;

export function sayMeasure(value: number): string {
  return value.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** “+0.12”, “−0.05”, “0.00”. */
export function sayDifference(value: number): string {
  const size = sayMeasure(Math.abs(value));
  if (Number(Math.abs(value).toFixed(2)) === 0) return size;
  return `${value > 0 ? '+' : '−'}${size}`;
}

const sameEnough = 1e-9;

export function verdictOf(difference: number): 'better' | 'worse' | 'same' {
  if (Math.abs(difference) <= sameEnough) return 'same';
  return difference > 0 ? 'better' : 'worse';
}

export function wantedIn({ judgements }: JudgedQuery): number {
  return judgements.filter(({ grade }) => grade > 0).length;
}

export type QueryMeasures = Evaluation['queries'][number];
