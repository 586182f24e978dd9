import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FieldRow } from '../shared/forms/FieldRow';
import { FormSection } from '../shared/forms/FormSection';
import { LinesInput } from '../shared/forms/LinesInput';
import type { CrawlerValues } from './crawlerForm';
import { useTemplateChoices } from './useTemplateChoices';

interface SectionProps {
  form: UseFormReturnType<CrawlerValues>;
}

export function WhereSection({ form }: SectionProps) {
  const choices = useTemplateChoices();
  return (
    <FormSection title="Where" description="What to look for, and where to start looking.">
      <FieldRow>
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <Select
          label="Template"
          placeholder="Choose a template"
          required
          data={choices ?? []}
          searchable
          nothingFoundMessage="No template of that name"
          {...form.getInputProps('template')}
        />
      </FieldRow>
      <Textarea label="Description" {...form.getInputProps('description')} />
      <LinesInput
        label="Seeds"
        description="Addresses to start from, one per line."
        placeholder="https://www.example.org/products"
        required
        {...form.getInputProps('seeds')}
      />
      <Switch
        label="Read the sitemap too"
        description="Also start from the pages that the website lists in its sitemap."
        {...form.getInputProps('sitemap', { type: 'checkbox' })}
      />
    </FormSection>
  );
}

const sameSiteChoices = [
  { value: 'host', label: 'This host only (www.example.org)' },
  { value: 'domain', label: 'The whole domain (*.example.org)' },
  { value: 'off', label: 'Any website' },
];

export function FollowSection({ form }: SectionProps) {
  return (
    <FormSection
      title="What to follow"
      description="Which links lead to more pages. With nothing here, every link of the website is followed."
    >
      <Select
        label="Stay on"
        description="How far from the seeds links may lead."
        data={sameSiteChoices}
        {...form.getInputProps('same_site')}
      />
      <LinesInput
        label="Links scope"
        description="XPaths of the parts of a page whose links are followed, one per line. Empty: the whole page."
        placeholder="//nav[@class='pagination']"
        {...form.getInputProps('links_scope')}
      />
      <FieldRow>
        <LinesInput
          label="Only addresses like"
          description="Patterns, one per line. Empty: all."
          placeholder="/products/"
          {...form.getInputProps('allow')}
        />
        <LinesInput
          label="Never addresses like"
          description="Patterns, one per line."
          placeholder="/login"
          {...form.getInputProps('exclude')}
        />
      </FieldRow>
      <LinesInput
        label="First addresses like"
        description="Patterns, one per line. They come before others that are as many clicks away."
        placeholder="/products/"
        {...form.getInputProps('prefer')}
      />
    </FormSection>
  );
}
