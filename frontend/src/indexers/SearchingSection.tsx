import { Checkbox, Radio, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormSection } from '../shared/forms/FormSection';
import type { IndexerValues } from './indexerForm';

/** What a search looks at, and what it leaves out of the results. */
export function SearchingSection({ form }: { form: UseFormReturnType<IndexerValues> }) {
  const flag = (name: 'page_text' | 'hits' | 'safe_search' | 'hide_duplicates') =>
    form.getInputProps(name, { type: 'checkbox' });
  return (
    <FormSection title="Searching" description="What a search looks at, and what it leaves out.">
      <Radio.Group label="A search for several words finds documents with" {...form.getInputProps('joining')}>
        <Stack gap={6} mt={6}>
          <Radio value="and" label="all of the words" />
          <Radio value="or" label="any of the words; those with more of them come first" />
        </Stack>
      </Radio.Group>
      <Checkbox
        label="Search the whole page too"
        description="Also the title, headings and text of the page a document is from, and the words of links that lead to it."
        {...flag('page_text')}
      />
      <Checkbox
        label="Count hubs and authorities"
        description="Two more numbers of each page to weigh or use in the formula: how good the pages it links to are, and how good those that link to it."
        {...flag('hits')}
      />
      <Checkbox
        label="Show of nearly equal results only the best"
        description="Others are counted beside it."
        {...flag('hide_duplicates')}
      />
      <Checkbox
        label="Safe search"
        description="Leave out documents that are not fit for everybody, unless a search asks for them."
        {...flag('safe_search')}
      />
    </FormSection>
  );
}
