import {
  Alert,
  Button,
  Divider,
  Group,
  Progress,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { $api } from '../api/client';
import { ApiError, sentenceOf } from '../api/errors';
import { actionPayload } from '../shared/actions/actionValues';
import { placeFieldErrors } from '../shared/forms/fieldErrors';
import { FieldRow } from '../shared/forms/FieldRow';
import { sayCount } from '../shared/numbers';
import { PlayIcon } from '../shared/pictures/icons';
import { useProjectId } from '../shared/useProject';
import { ReplayStrip } from './ReplayStrip';
import type { TemplateValues } from './templateForm';

const mostSeconds = 90;

/** A replay is one long answer; what can be told meanwhile is how long it takes. */
function ReplayProgress() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div>
      <Text size="sm" role="status" mb={6}>
        A browser opens the page and does the steps. This takes a few seconds, at most {mostSeconds}.
      </Text>
      <Progress
        value={Math.min(100, (seconds / mostSeconds) * 100)}
        animated
        aria-label={`Trying the steps, ${sayCount(seconds, 'second')} so far`}
      />
    </div>
  );
}

/** The crawlers that use the template: they know addresses to try, and lend logins and cookies. */
function useCrawlers(template: number) {
  const query = { project: useProjectId(), template, page_size: 500, ordering: 'name' };
  return $api.useQuery('get', '/api/v1/crawlers', { params: { query } }).data?.results ?? [];
}

interface ReplayPanelProps {
  form: UseFormReturnType<TemplateValues>;
  templateId: number;
}

/** Tries the steps as they stand in the form, saved or not, on one page. Nothing is stored. */
export function ReplayPanel({ form, templateId }: ReplayPanelProps) {
  const crawlers = useCrawlers(templateId);
  const [typed, setUrl] = useState<string | null>(null);
  const [crawler, setCrawler] = useState<string | null>(null);
  const url = typed ?? crawlers[0]?.seeds[0] ?? '';
  const replay = $api.useMutation('post', '/api/v1/templates/{id}/replay', {
    onError: (error: unknown) => {
      if (error instanceof ApiError) form.setErrors(placeFieldErrors(error.fields, form.getValues()).placed);
    },
  });
  const refusal: unknown = replay.error;
  const fields = refusal instanceof ApiError ? refusal.fields : {};
  const trySteps = () =>
    replay.mutate({
      params: { path: { id: templateId } },
      body: {
        url: url.trim(),
        actions: form.getValues().actions.map(actionPayload),
        crawler: crawler ? Number(crawler) : null,
      },
    });
  const tryOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (url.trim() && !replay.isPending) trySteps();
  };
  return (
    <Stack gap="md">
      <Divider />
      <div>
        <Title order={3} size="h4">
          Try it
        </Title>
        <Text size="sm" c="dimmed">
          See what the steps above do on a page, one picture each. They need not be saved.
        </Text>
      </div>
      <FieldRow>
        <TextInput
          label="Address to try"
          placeholder="https://www.example.org/products"
          inputMode="url"
          autoComplete="off"
          value={url}
          error={fields.url?.join(' ')}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          onKeyDown={tryOnEnter}
        />
        {crawlers.length > 0 && (
          <Select
            label="With the login and cookies of"
            placeholder="nobody"
            clearable
            data={crawlers.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={crawler}
            error={fields.crawler?.join(' ')}
            onChange={setCrawler}
          />
        )}
      </FieldRow>
      <Group>
        <Button
          variant="light"
          leftSection={<PlayIcon />}
          disabled={!url.trim()}
          loading={replay.isPending}
          onClick={trySteps}
        >
          Try the steps
        </Button>
      </Group>
      {replay.isPending && <ReplayProgress />}
      {refusal !== null && !fields.url && !fields.crawler && (
        <Alert color="red" title="The steps could not be tried" role="alert">
          {sentenceOf(refusal)}
        </Alert>
      )}
      {replay.data && !replay.isPending && <ReplayStrip replay={replay.data} />}
    </Stack>
  );
}
