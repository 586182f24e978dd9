import type { Explanation, ExplanationPart } from '../api/types';
import { sayCount, sayNumber } from '../shared/numbers';

const bonuses: Record<string, string> = {
  overlap: 'Words in the title or headings',
  'whole query': 'The words side by side, as typed',
  subsequence: 'The words in the order typed',
};

const columns: Record<string, string> = {
  pagerank: 'Pages that link to it',
  host_rank: 'Websites that link to its website',
  quality: 'How well the page reads',
  freshness: 'How fresh the page is',
  hub: 'Good pages that it links to',
  authority: 'Good lists that link to it',
};

const leaves: Record<string, (text: string) => string> = {
  word: (text) => `The word “${text}”`,
  phrase: (text) => `The phrase “${text}”`,
  prefix: (text) => `Words that begin with “${text}”`,
  fuzzy: (text) => `Words like “${text}”`,
  bonus: (text) => bonuses[text] ?? text,
  column: (text) => columns[text] ?? `The value of ${text}`,
};

/** A part of a score in words for people. */
export function sayPart(label: string): string {
  const [kind = '', ...rest] = label.split(' ');
  return leaves[kind]?.(rest.join(' ')) ?? label;
}

export interface Bar {
  label: string;
  score: number;
  /** Of the greatest part, 0 to 100: the length of the bar. */
  length: number;
  /** Of the sum of all parts, 0 to 1. */
  share: number;
  part: ExplanationPart;
}

/** The parts of a text score as bars, the greatest first. They add up to the whole. */
export function barsOf({ parts, text }: Explanation): Bar[] {
  const most = Math.max(...parts.map(({ score }) => Math.abs(score)), 0);
  return [...parts]
    .sort((one, other) => other.score - one.score)
    .map((part) => ({
      label: sayPart(part.label),
      score: part.score,
      length: most ? (Math.abs(part.score) / most) * 100 : 0,
      share: text ? part.score / text : 0,
      part,
    }));
}

/** A score with as many digits as tell something. */
export function sayScore(score: number): string {
  if (score === 0) return '0';
  const size = Math.abs(score);
  if (size >= 1e6 || size < 1e-4) return score.toExponential(2);
  return score.toLocaleString(undefined, { maximumFractionDigits: size >= 100 ? 1 : size >= 1 ? 2 : 4 });
}

/** Why a word counts as it does. */
export function sayRarity({ df }: ExplanationPart, documents: number): string | null {
  if (df === null) return null;
  return `${sayNumber(df)} of ${sayCount(documents, 'document')} ${df === 1 ? 'has' : 'have'} it${df * 4 < documents ? ': rare words count more' : ''}.`;
}

/** What the formula did: one that does not name the text score is added to it. */
export function sayFormula({ formula, text, score }: Explanation): string {
  if (/\btext\b/.test(formula ?? '')) return `Then the formula makes ${sayScore(score)} of it`;
  const added = score - text;
  return `The formula ${added < 0 ? 'takes' : 'adds'} ${sayScore(Math.abs(added))}: ${sayScore(score)} in all`;
}
