/** The parts a score is made of, as the server knows them, and what each rewards. */
const weightKinds: Record<string, string> = {
  text: 'how well the words match',
  formula: 'your own formula',
  title: 'words in the title',
  headings: 'words in headings',
  phrase: 'words side by side as typed',
  subsequence: 'words in the order typed',
  pagerank: 'pages that many link to',
  host_rank: 'websites that many link to',
  quality: 'pages that read well',
  freshness: 'pages that changed lately',
  hub: 'pages that link to good pages',
  authority: 'pages that good lists link to',
};

/** What a weight rewards, and when it has no effect beside what else was chosen. */
export function weightMeaning(name: string, chosen: { formula: string; page_text: boolean }): string {
  if (name === 'formula' && /\btext\b/.test(chosen.formula)) {
    return 'no effect: a formula that uses text is the whole score';
  }
  if (name === 'headings' && !chosen.page_text) {
    return 'words in headings, which count only where whole pages are searched';
  }
  return weightKinds[name] ?? '';
}

/** Only of indexers that count hubs and authorities. */
const hitsNames = ['hub', 'authority'];

/** Whether an indexer can weigh this part; `hits` says whether it counts hubs and authorities. */
export function canWeigh(name: string, hits: boolean): boolean {
  return hits || !hitsNames.includes(name);
}

export function weightNames(hits: boolean): string[] {
  return Object.keys(weightKinds).filter((name) => canWeigh(name, hits));
}

/** The weight of a part that has none of its own. */
export function usualWeight(name: string): number {
  return name === 'text' || name === 'formula' ? 1 : 0;
}

/** Variables a formula may use besides those of the columns. */
export function builtInVariables(hits: boolean): string[] {
  return ['text', 'pagerank', 'host_rank', 'quality', 'freshness', ...(hits ? hitsNames : [])];
}

export const formulaFunctions = [
  'min',
  'max',
  'log',
  'log10',
  'sqrt',
  'abs',
  'exp',
  'if',
  'clamp',
  'missing',
];

/** Languages whose words can be reduced to their stems. */
const languages = [
  ['ar', 'Arabic'],
  ['hy', 'Armenian'],
  ['eu', 'Basque'],
  ['ca', 'Catalan'],
  ['cs', 'Czech'],
  ['da', 'Danish'],
  ['nl', 'Dutch'],
  ['en', 'English'],
  ['et', 'Estonian'],
  ['fi', 'Finnish'],
  ['fr', 'French'],
  ['de', 'German'],
  ['el', 'Greek'],
  ['hi', 'Hindi'],
  ['hu', 'Hungarian'],
  ['id', 'Indonesian'],
  ['ga', 'Irish'],
  ['it', 'Italian'],
  ['lt', 'Lithuanian'],
  ['ne', 'Nepali'],
  ['no', 'Norwegian'],
  ['pl', 'Polish'],
  ['pt', 'Portuguese'],
  ['ro', 'Romanian'],
  ['ru', 'Russian'],
  ['sr', 'Serbian'],
  ['es', 'Spanish'],
  ['sv', 'Swedish'],
  ['ta', 'Tamil'],
  ['tr', 'Turkish'],
  ['yi', 'Yiddish'],
] as const;

interface Choice {
  value: string;
  label: string;
}

/** Languages to choose from; one that is stored but not listed stays a choice. */
export function languageChoices(stored: string): Choice[] {
  const known = languages.map(([value, label]) => ({ value: value as string, label: label as string }));
  if (!stored || known.some(({ value }) => value === stored)) return known;
  return [...known, { value: stored, label: stored }];
}

/** How forms of a word are brought together. */
export const reductions = [
  { value: 'stem', label: 'By stem (quick, finds most)' },
  { value: 'lemma', label: 'By dictionary form (exact)' },
  { value: 'none', label: 'Not at all (names, codes)' },
];
