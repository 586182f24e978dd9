import type { Dictionary, DictionaryRequest } from '../api/types';
import { readLines } from '../shared/forms/fieldErrors';

export type DictionaryValues = Pick<Dictionary, 'name' | 'description' | 'entries'>;

export const emptyDictionary: DictionaryValues = { name: '', description: '', entries: '' };

export function dictionaryValues({ name, description, entries }: Dictionary): DictionaryValues {
  return { name, description, entries };
}

export function dictionaryPayload(values: DictionaryValues, project: number): DictionaryRequest {
  return { project, ...values, name: values.name.trim() };
}

export function countEntries(entries: string): number {
  return readLines(entries).length;
}
