import { NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FieldRow } from '../shared/forms/FieldRow';
import { FormSection } from '../shared/forms/FormSection';
import type { CrawlerValues } from './crawlerForm';

interface Box {
  name: keyof CrawlerValues['limits'];
  label: string;
  description: string;
  isShare?: boolean;
  suffix?: string;
}

const rows: Box[][] = [
  [
    {
      name: 'pages_without_new_document',
      label: 'Pages without a new document',
      description: 'End after so many in a row.',
    },
    {
      name: 'pages_only_duplicate',
      label: 'Pages that only repeat others',
      description: 'End after so many in a row.',
    },
  ],
  [
    {
      name: 'error_rate',
      label: 'Share of failed pages',
      description: 'End when it is reached; 0.5 is every second page.',
      isShare: true,
    },
    {
      name: 'error_rate_after',
      label: 'Judged after',
      description: 'Pages that must have been tried before that.',
    },
  ],
  [
    { name: 'pages_per_host', label: 'Pages of one host', description: 'At most so many.' },
    {
      name: 'pages_per_pattern',
      label: 'Pages of one kind of address',
      description: 'Addresses that differ in numbers only are of one kind.',
    },
  ],
  [
    {
      name: 'requests_per_host',
      label: 'Requests to one host at a time',
      description: 'Of each worker. Empty: as many as threads.',
    },
    {
      name: 'page_seconds',
      label: 'Time for a page',
      description: 'From the first word to its last byte.',
      suffix: ' s',
    },
    { name: 'page_mb', label: 'Size of a page', description: 'Larger ones are left out.', suffix: ' MB' },
  ],
];

/** When a run is not worth going on with, and what a host, a kind of address or a page may cost. */
export function FineLimitsSection({ form }: { form: UseFormReturnType<CrawlerValues> }) {
  return (
    <FormSection
      title="Not worth going on"
      description="End a run that brings nothing, and keep single hosts and pages from taking it all. Empty: no limit."
    >
      {rows.map((boxes) => (
        <FieldRow key={boxes[0]?.name}>
          {boxes.map(({ name, label, description, isShare, suffix }) => (
            <NumberInput
              key={name}
              label={label}
              description={description}
              placeholder="No limit"
              min={isShare ? 0.001 : suffix ? 0.01 : 1}
              max={isShare ? 1 : undefined}
              step={isShare ? 0.1 : 1}
              allowDecimal={Boolean(isShare ?? suffix)}
              suffix={suffix}
              thousandSeparator=","
              {...form.getInputProps(`limits.${name}`)}
            />
          ))}
        </FieldRow>
      ))}
    </FormSection>
  );
}
