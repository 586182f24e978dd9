import type { Dictionary, DictionaryRequest } from '../api/types';
import { readLines } from '../shared/forms/fieldErrors';

export type DictionaryValues = Pick<Dictionary, 'name' | 'description' | 'entries'>;

/** So many entries are shown and edited in the page; longer dictionaries come and go as files. */
export const mostShown = 1000;

export const emptyDictionary: DictionaryValues = { name: '', description: '', entries: '' };

export function dictionaryValues({ name, description, entries }: Dictionary): DictionaryValues {
  return { name, description, entries };
}

export function dictionaryPayload(values: DictionaryValues, project: number): DictionaryRequest {
  return { project, ...values, name: values.name.trim() };
}

/** What is to be saved: of a dictionary that is shown in part, no entries unless a file took their place. */
export function changedPayload(values: DictionaryValues, stored: Dictionary): DictionaryRequest {
  const { entries, ...rest } = dictionaryPayload(values, stored.project);
  const isPart = stored.entry_count > mostShown && entries === stored.entries;
  return isPart ? rest : { ...rest, entries };
}

export function firstEntries(entries: string): string {
  return entries.split('\n', mostShown).join('\n');
}

export function countEntries(entries: string): number {
  return readLines(entries).length;
}
