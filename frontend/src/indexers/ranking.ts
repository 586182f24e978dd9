/** The parts a score is made of, as the server knows them, and what each rewards. */
export const weightKinds: Record<string, string> = {
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
};

export const weightNames = Object.keys(weightKinds);

/** Variables a formula may use besides those of the columns. */
export const builtInVariables = ['text', 'pagerank', 'host_rank', 'quality', 'freshness'];

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
export const languages = [
  ['', 'Found out by itself'],
  ['en', 'English'],
  ['de', 'German'],
  ['fr', 'French'],
  ['es', 'Spanish'],
  ['it', 'Italian'],
  ['nl', 'Dutch'],
  ['pt', 'Portuguese'],
  ['sv', 'Swedish'],
  ['da', 'Danish'],
  ['no', 'Norwegian'],
  ['fi', 'Finnish'],
  ['ru', 'Russian'],
] as const;
