import { readSearchState, type SearchState } from '../searchState';

export const labTabs = ['judge', 'measure', 'compare', 'tune'] as const;
export type LabTab = (typeof labTabs)[number];

/** What of the lab lives in the address: the tab, and the search whose results are judged. */
export type LabSearch = SearchState & { tab?: LabTab };

export function readLabSearch(raw: Record<string, unknown>): LabSearch {
  const tab = labTabs.find((name) => name === raw.tab);
  return { ...readSearchState(raw), tab: tab === 'judge' ? undefined : tab };
}
