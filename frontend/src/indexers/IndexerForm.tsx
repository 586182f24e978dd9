import { Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { $api } from '../api/client';
import { FormSection } from '../shared/forms/FormSection';
import { NounForm, type SaveNoun } from '../shared/nouns/NounForm';
import { useProjectId } from '../shared/useProject';
import { ColumnsEditor } from './ColumnsEditor';
import { CrawlersSection } from './CrawlersSection';
import type { IndexerValues } from './indexerForm';
import { FollowingSection } from './FollowingSection';
import { PublicSection } from './PublicSection';
import { RankingSection } from './RankingSection';
import { SearchingSection } from './SearchingSection';
import { WordsSection } from './WordsSection';

interface IndexerFormProps {
  initial: IndexerValues;
  readOnly: boolean;
  isNew: boolean;
  save: SaveNoun<IndexerValues>;
}

function useDictionaryChoices() {
  const query = { project: useProjectId(), page_size: 500, ordering: 'name' };
  const dictionaries =
    $api.useQuery('get', '/api/v1/dictionaries', { params: { query } }).data?.results ?? [];
  return dictionaries.map(({ id, name }) => ({ value: String(id), label: name }));
}

export function IndexerForm({ initial, readOnly, isNew, save }: IndexerFormProps) {
  const dictionaries = useDictionaryChoices();
  const form = useForm<IndexerValues>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() ? null : 'Give the indexer a name.'),
      columns: {
        name: (name) => (name.trim() ? null : 'Give the column a name.'),
        sources: (sources) =>
          sources.length ? null : 'Choose at least one inspector that fills this column.',
      },
    },
  });
  return (
    <NounForm form={form} readOnly={readOnly} label={isNew ? 'Create indexer' : 'Save indexer'} save={save}>
      <FormSection title="Indexer" description="A search index over what one or many crawlers collected.">
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <Textarea label="Description" {...form.getInputProps('description')} />
      </FormSection>
      <FormSection
        title="Columns"
        description="What results show and what can be searched. A column can be filled from several templates: that is how prices of different shops come side by side."
        wide
      >
        <ColumnsEditor form={form} readOnly={readOnly} />
      </FormSection>
      <CrawlersSection form={form} />
      <SearchingSection form={form} />
      <RankingSection form={form} />
      <WordsSection form={form} />
      <FormSection title="Dictionary" description="Known names that are suggested while people type.">
        <Select
          label="Dictionary"
          placeholder={dictionaries.length ? 'None' : 'This project has no dictionary yet'}
          data={dictionaries}
          clearable
          {...form.getInputProps('dictionary')}
        />
      </FormSection>
      <FollowingSection form={form} isNew={isNew} />
      <PublicSection form={form} />
    </NounForm>
  );
}
