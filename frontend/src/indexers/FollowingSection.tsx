import { NumberInput, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FormSection } from '../shared/forms/FormSection';
import type { IndexerValues } from './indexerForm';

/** How the index keeps up with the crawls, and when a new build is not trusted. */
export function FollowingSection({
  form,
  isNew,
}: {
  form: UseFormReturnType<IndexerValues>;
  isNew: boolean;
}) {
  return (
    <FormSection
      title="Keeping up"
      description="What happens when crawlers find new documents, or no longer find old ones."
    >
      {isNew && (
        <Switch
          label="Follow the crawls"
          description="New and changed documents can be found within seconds, gone ones disappear. Otherwise the index changes only when you start it."
          {...form.getInputProps('live', { type: 'checkbox' })}
        />
      )}
      <NumberInput
        label="Hold a rebuild back when it lost more than"
        description="Such a build is shown to you first; until you agree, searches use the one before. A website that changed its pages cannot empty your search over night."
        suffix=" % of the documents"
        min={0}
        max={100}
        styles={{ input: { maxWidth: 220 } }}
        {...form.getInputProps('max_loss_percent')}
      />
    </FormSection>
  );
}
