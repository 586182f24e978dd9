import { useForm } from '@mantine/form';
import { readLines } from '../shared/forms/fieldErrors';
import { NounForm, type SaveNoun } from '../shared/nouns/NounForm';
import { AddressSection } from './AddressSection';
import { CookiesSection } from './CookiesSection';
import type { CrawlerValues } from './crawlerForm';
import { FineLimitsSection } from './FineLimitsSection';
import { AdvancedSection, HowSection, LimitsSection, PolitenessSection } from './HowSections';
import { LoginSection } from './LoginSection';
import { FollowSection, WhereSection } from './WhereSections';

interface CrawlerFormProps {
  initial: CrawlerValues;
  readOnly: boolean;
  isNew: boolean;
  save: SaveNoun<CrawlerValues>;
}

export function CrawlerForm({ initial, readOnly, isNew, save }: CrawlerFormProps) {
  const form = useForm<CrawlerValues>({
    initialValues: initial,
    validate: {
      name: (name) => (name.trim() ? null : 'Give the crawler a name.'),
      template: (template) => (template ? null : 'Choose the template to use on each page.'),
      seeds: (seeds) => (readLines(seeds).length ? null : 'Enter at least one address to start from.'),
    },
  });
  return (
    <NounForm form={form} readOnly={readOnly} label={isNew ? 'Create crawler' : 'Save crawler'} save={save}>
      <WhereSection form={form} />
      <FollowSection form={form} />
      <AddressSection form={form} />
      <LimitsSection form={form} />
      <FineLimitsSection form={form} />
      <PolitenessSection form={form} />
      <HowSection form={form} />
      <LoginSection form={form} readOnly={readOnly} />
      <CookiesSection form={form} readOnly={readOnly} />
      <AdvancedSection form={form} />
    </NounForm>
  );
}
