import { MultiSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { $api } from '../api/client';
import { FormSection } from '../shared/forms/FormSection';
import { useProjectId } from '../shared/useProject';
import type { IndexerValues } from './indexerForm';
import { crawlerChoices } from './crawlerChoices';

/** Whose documents are searched. */
export function CrawlersSection({ form }: { form: UseFormReturnType<IndexerValues> }) {
  const query = { project: useProjectId(), page_size: 500, ordering: 'name' };
  const crawlers = $api.useQuery('get', '/api/v1/crawlers', { params: { query } }).data?.results;
  const { columns, crawlers: chosen } = form.values;
  const data = crawlerChoices(crawlers ?? [], columns, chosen);
  return (
    <FormSection title="Crawlers" description="Whose documents can be found.">
      <MultiSelect
        label="Only documents of these crawlers"
        description="None chosen: those of every crawler whose template fills a column, also of crawlers you make later."
        placeholder={chosen.length ? undefined : 'All that fit the columns'}
        searchable
        clearable
        data={crawlers ? data : []}
        nothingFoundMessage="No such crawler. Its template must fill a column."
        {...form.getInputProps('crawlers')}
      />
    </FormSection>
  );
}
