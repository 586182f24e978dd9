import type { Crawler } from '../api/types';
import type { ColumnValues } from './indexerForm';

interface ChoiceGroup {
  group: string;
  items: { value: string; label: string }[];
}

function isSourceOf(source: string, template: string): boolean {
  return source.startsWith(`${template}.`) && !source.slice(template.length + 1).includes('.');
}

/** Crawlers by template: those whose template fills a column, and any that is chosen already. */
export function crawlerChoices(
  crawlers: Crawler[],
  columns: ColumnValues[],
  chosen: string[],
): ChoiceGroup[] {
  const sources = columns.flatMap((column) => column.sources);
  const offered = crawlers.filter(
    ({ id, template_name }) =>
      chosen.includes(String(id)) ||
      sources.length === 0 ||
      sources.some((source) => isSourceOf(source, template_name)),
  );
  return [...new Set(offered.map(({ template_name }) => template_name))].map((group) => ({
    group,
    items: offered
      .filter(({ template_name }) => template_name === group)
      .map(({ id, name }) => ({ value: String(id), label: name })),
  }));
}
