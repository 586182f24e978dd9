import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CodeInput } from '../shared/forms/CodeInput';
import { FieldRow } from '../shared/forms/FieldRow';
import { FormSection } from '../shared/forms/FormSection';
import { LinesInput } from '../shared/forms/LinesInput';
import { RecordEditor } from '../shared/forms/RecordEditor';
import type { CrawlerValues } from './crawlerForm';
import { LaneChoice } from './LaneChoice';

interface SectionProps {
  form: UseFormReturnType<CrawlerValues>;
}

const noLimit = { placeholder: 'No limit', thousandSeparator: ',' };

export function LimitsSection({ form }: SectionProps) {
  return (
    <FormSection
      title="Limits"
      description="When to stop. The crawl ends at whichever comes first; an empty box is no limit."
    >
      <FieldRow>
        <NumberInput
          label="Pages"
          description="At most this many pages."
          min={1}
          allowDecimal={false}
          {...noLimit}
          {...form.getInputProps('max_pages')}
        />
        <NumberInput
          label="Documents"
          description="At most this many documents."
          min={1}
          allowDecimal={false}
          {...noLimit}
          {...form.getInputProps('max_documents')}
        />
      </FieldRow>
      <FieldRow>
        <NumberInput
          label="Depth"
          description="Clicks away from a seed; 0 is the seeds only."
          min={0}
          allowDecimal={false}
          {...noLimit}
          {...form.getInputProps('max_depth')}
        />
        <NumberInput
          label="Time"
          description="Minutes from start to end."
          min={0}
          suffix=" min"
          {...noLimit}
          {...form.getInputProps('timeout_minutes')}
        />
      </FieldRow>
    </FormSection>
  );
}

export function PolitenessSection({ form }: SectionProps) {
  return (
    <FormSection
      title="Politeness"
      description="How considerate the crawler is. Websites block those that are not."
    >
      <FieldRow>
        <NumberInput
          label="Pause"
          description="Milliseconds between two requests to the same host."
          min={0}
          allowDecimal={false}
          suffix=" ms"
          {...form.getInputProps('sleep_ms')}
        />
        <NumberInput
          label="Tries again"
          description="How often to try a page again that failed."
          min={0}
          max={20}
          allowDecimal={false}
          {...form.getInputProps('retry')}
        />
      </FieldRow>
      <Switch
        label="Respect robots.txt"
        description="Leave out what the website asks crawlers to leave out."
        {...form.getInputProps('respect_robots', { type: 'checkbox' })}
      />
      {form.values.respect_robots && (
        <TextInput
          label="Address of robots.txt"
          description="Only when it is not at its usual place."
          placeholder="https://www.example.org/robots.txt"
          {...form.getInputProps('robots_url')}
        />
      )}
    </FormSection>
  );
}

const strategyChoices = [
  { value: 'bfs', label: 'Breadth first: near pages before far ones' },
  { value: 'dfs', label: 'Depth first: follow each path to its end' },
];

export function HowSection({ form }: SectionProps) {
  return (
    <FormSection title="How" description="How pages are fetched, and with how much force.">
      <LaneChoice form={form} />
      <Select
        label="Order"
        description="Which page comes next."
        data={strategyChoices}
        {...form.getInputProps('strategy')}
      />
      <FieldRow>
        <NumberInput
          label="Workers"
          description="Processes that share the work, also over several machines."
          min={1}
          max={256}
          allowDecimal={false}
          {...form.getInputProps('workers')}
        />
        <NumberInput
          label="Threads"
          description="Pages that each worker fetches at the same time."
          min={1}
          max={256}
          allowDecimal={false}
          {...form.getInputProps('threads')}
        />
      </FieldRow>
    </FormSection>
  );
}

export function AdvancedSection({ form }: SectionProps) {
  return (
    <FormSection title="Advanced" description="Rarely needed.">
      <CodeInput
        label="User agent"
        description="How the crawler introduces itself. Empty: as Gleaner."
        {...form.getInputProps('user_agent')}
      />
      <LinesInput
        label="Proxies"
        description="Used in turn, one per line. Write ${name of a secret} for a password."
        placeholder="http://user:${proxy password}@proxy.example.org:8080"
        {...form.getInputProps('proxies')}
      />
      <Switch
        label="Keep the text of pages for searching"
        description="Titles, headings and text. Indexers that search whole pages need it; without it crawls are a little faster."
        {...form.getInputProps('page_text', { type: 'checkbox' })}
      />
      <Switch
        label="Keep the raw pages"
        description="So that a changed template can be tried on them again without fetching anything."
        {...form.getInputProps('keep_pages', { type: 'checkbox' })}
      />
      {form.values.keep_pages && (
        <NumberInput
          label="Room for raw pages"
          description="Megabytes per run; when they are full, no more pages are kept."
          min={1}
          allowDecimal={false}
          suffix=" MB"
          {...form.getInputProps('keep_pages_mb')}
        />
      )}
      <RecordEditor
        form={form}
        path="headers"
        count={form.values.headers.length}
        label="Headers"
        description="Sent with every request."
        nameLabel="Header"
        valueLabel="Value"
        addLabel="Add header"
      />
    </FormSection>
  );
}
