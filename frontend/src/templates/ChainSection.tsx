import { Radio, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Template } from '../api/types';
import { ActionsEditor } from '../shared/actions/ActionsEditor';
import { CodeInput } from '../shared/forms/CodeInput';
import { FormSection } from '../shared/forms/FormSection';
import { ReplayPanel } from './ReplayPanel';
import type { TemplateValues } from './templateForm';

const places: { value: Template['actions_on']; label: string; description: string }[] = [
  {
    value: 'every',
    label: 'On every page',
    description: 'When each page needs them, such as a tab to open or a banner to close.',
  },
  {
    value: 'seeds',
    label: 'On the seeds only',
    description: 'When only the first pages need them, such as a list that grows by scrolling.',
  },
  {
    value: 'matching',
    label: 'On addresses like …',
    description: 'When one kind of page needs them; all others stay fast.',
  },
];

function WhereItRuns({ form }: { form: UseFormReturnType<TemplateValues> }) {
  return (
    <>
      <Radio.Group label="Where the steps run" {...form.getInputProps('actions_on')}>
        <Stack gap="sm" mt="xs">
          {places.map((place) => (
            <Radio key={place.value} {...place} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.actions_on === 'matching' && (
        <CodeInput
          label="Addresses"
          description="A piece of the address, or a pattern with * for anything."
          placeholder="*/list/*"
          required
          {...form.getInputProps('actions_pattern')}
        />
      )}
    </>
  );
}

interface ChainSectionProps {
  form: UseFormReturnType<TemplateValues>;
  /** None while the template is not stored yet. */
  templateId?: number;
  readOnly: boolean;
}

/** What a browser does on a page before anything is read from it, and on which pages. */
export function ChainSection({ form, templateId, readOnly }: ChainSectionProps) {
  return (
    <FormSection
      title="Action chain"
      description="What a browser does on a page before it is read, in order. Steps need a browser: a crawler without one skips them, a crawler that decides by itself uses one where they bring more."
      wide
    >
      <ActionsEditor
        form={form}
        path="actions"
        actions={form.values.actions}
        readOnly={readOnly}
        empty="No actions: the page is read as it arrives. That is the fastest, and right for most websites."
      />
      {form.values.actions.length > 0 && <WhereItRuns form={form} />}
      {templateId !== undefined && !readOnly && <ReplayPanel form={form} templateId={templateId} />}
    </FormSection>
  );
}
