import { Radio, Stack, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Crawler } from '../api/types';
import type { CrawlerValues } from './crawlerForm';

const lanes: { value: Crawler['lane']; label: string; description: string }[] = [
  {
    value: 'auto',
    label: 'Decide by itself',
    description:
      'Reads a few pages of each kind both ways and opens a browser only where that brings more: costs little more than no browser. Choose it when in doubt.',
  },
  {
    value: 'http',
    label: 'Without a browser',
    description:
      'One request a page and nothing else: by far the fastest. Choose it when the website shows everything without scripts; logins and action chains are left out.',
  },
  {
    value: 'browser',
    label: 'With a browser',
    description:
      'Opens every page in Chromium: many times the work of a plain request, and up to 1.5 GB of memory for each browser. Choose it when scripts draw every page.',
  },
];

/** How pages are fetched, with what each way costs and when to choose it. */
export function LaneChoice({ form }: { form: UseFormReturnType<CrawlerValues> }) {
  return (
    <>
      <Radio.Group label="Lane" description="How a page is fetched." {...form.getInputProps('lane')}>
        <Stack gap="sm" mt="xs">
          {lanes.map((lane) => (
            <Radio key={lane.value} {...lane} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.lane !== 'http' && (
        <Switch
          label="Show the browser"
          description="Open a visible window on the machine that crawls, to watch it work. Slower, since pictures are loaded; without a display the log says so."
          {...form.getInputProps('show_browser', { type: 'checkbox' })}
        />
      )}
    </>
  );
}
