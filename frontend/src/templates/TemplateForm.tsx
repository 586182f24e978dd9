import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CodeInput } from '../shared/forms/CodeInput';
import { FormSection } from '../shared/forms/FormSection';
import { NounForm, type SaveNoun } from '../shared/nouns/NounForm';
import { ChainSection } from './ChainSection';
import { InspectorsEditor } from './InspectorsEditor';
import type { TemplateValues } from './templateForm';

interface TemplateFormProps {
  initial: TemplateValues;
  readOnly: boolean;
  /** None for a new template. */
  templateId?: number;
  save: SaveNoun<TemplateValues>;
}

export function TemplateForm({ initial, readOnly, templateId, save }: TemplateFormProps) {
  const form = useForm<TemplateValues>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() ? null : 'Give the template a name.'),
      inspectors: { name: (name) => (name.trim() ? null : 'Give the inspector a name.') },
      actions_pattern: (pattern, { actions, actions_on }) =>
        !actions.length || actions_on !== 'matching' || pattern.trim()
          ? null
          : 'Give a piece of the addresses that are meant, such as /list or */page/*.',
    },
  });
  return (
    <NounForm
      form={form}
      readOnly={readOnly}
      label={templateId === undefined ? 'Create template' : 'Save template'}
      save={save}
    >
      <FormSection
        title="Template"
        description="A template describes one kind of document, such as a product or an article."
      >
        <TextInput label="Name" required readOnly={readOnly} {...form.getInputProps('name')} />
        <Textarea label="Description" readOnly={readOnly} {...form.getInputProps('description')} />
        <CodeInput
          label="Item scope"
          description="XPath of one item, where a page lists many documents. Empty: the whole page is one document."
          placeholder="//li[@class='product']"
          readOnly={readOnly}
          {...form.getInputProps('item_scope')}
        />
      </FormSection>
      <FormSection
        title="Inspectors"
        description="Each inspector is one field of the document: a name and where on the page its value is found."
        wide
      >
        <InspectorsEditor form={form} readOnly={readOnly} />
      </FormSection>
      <ChainSection form={form} templateId={templateId} readOnly={readOnly} />
    </NounForm>
  );
}
