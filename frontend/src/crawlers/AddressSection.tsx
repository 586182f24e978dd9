import { Checkbox, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormSection } from '../shared/forms/FormSection';
import { LinesInput } from '../shared/forms/LinesInput';
import type { CrawlerValues } from './crawlerForm';

const canonicalChoices = [
  { value: 'note', label: 'Note it, and go on with the address that was asked for' },
  { value: 'follow', label: 'Fetch that address too' },
  { value: 'ignore', label: 'Ignore it' },
];

const flags: [Exclude<keyof CrawlerValues['addresses'], 'ignored_parameters'>, string, string?][] = [
  ['keep_query', 'What follows the question mark tells pages apart', 'Lists often have their pages there.'],
  ['drop_tracking', 'Ignore what only tracks visitors', 'utm_source, gclid, fbclid …'],
  ['drop_session_ids', 'Ignore session numbers', 'Otherwise a site may seem endless.'],
  ['sort_parameters', 'The order of parameters does not matter'],
  ['drop_empty_parameters', 'Ignore parameters without a value'],
  ['drop_index_names', '“/index.html” is the same as “/”'],
  ['ignore_scheme', 'http and https are the same'],
  ['ignore_www', 'With and without “www.” are the same'],
  ['keep_fragment', 'What follows # tells pages apart', 'Only for pages that scripts build by it.'],
];

/** What counts as the same page, so that none is fetched twice. */
export function AddressSection({ form }: { form: UseFormReturnType<CrawlerValues> }) {
  return (
    <FormSection
      title="Same address"
      description="Websites write one page’s address in many ways. What counts as the same is fetched once."
    >
      {flags.map(([name, label, description]) => (
        <Checkbox
          key={name}
          label={label}
          description={description}
          {...form.getInputProps(`addresses.${name}`, { type: 'checkbox' })}
        />
      ))}
      <LinesInput
        label="Ignored parameters"
        description="Further parameters that make no difference, one name per line."
        placeholder="sort"
        {...form.getInputProps('addresses.ignored_parameters')}
      />
      <Select
        label="When a page names another address as its own"
        data={canonicalChoices}
        {...form.getInputProps('canonical_links')}
      />
    </FormSection>
  );
}
