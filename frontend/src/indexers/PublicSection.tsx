import { NumberInput, Switch, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormSection } from '../shared/forms/FormSection';
import type { IndexerValues } from './indexerForm';

/** Who may search, and what that means. */
export function PublicSection({ form }: { form: UseFormReturnType<IndexerValues> }) {
  return (
    <FormSection title="Who may search" description="Members of this project always may.">
      <Switch
        label="Public: anybody may search, without signing in"
        description="Everyone who can reach this server sees everything the columns show, and can download results. Nobody can change anything, and nothing else of the project is shown."
        {...form.getInputProps('public', { type: 'checkbox' })}
      />
      {form.values.public && (
        <>
          <NumberInput
            label="Searches a minute"
            description="That one visitor may make without signing in. Suggestions while typing are counted apart: five times as many."
            min={1}
            allowDecimal={false}
            styles={{ input: { maxWidth: 140 } }}
            {...form.getInputProps('public_per_minute')}
          />
          <TagsInput
            label="Other websites that may search"
            description="Their pages can show your search, e.g. https://example.org. * allows every website. None: only Gleaner itself."
            placeholder={form.values.public_origins.length ? undefined : 'https://example.org'}
            splitChars={[',', ' ', '\n']}
            {...form.getInputProps('public_origins')}
          />
        </>
      )}
    </FormSection>
  );
}
