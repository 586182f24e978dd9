import { Button, Group, Modal, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { $api } from '../api/client';
import { FieldRow } from '../shared/forms/FieldRow';
import { useRefusal } from '../shared/forms/useRefusal';
import { noChoices, runRequest, type RunChoices } from './runChoices';
import { useStartRun } from './useStartRun';

interface RunChoicesProps {
  crawler: number;
  project: number;
  onClose: () => void;
}

function useNodeChoices() {
  const query = { page_size: 500, ordering: 'name' };
  const nodes = $api.useQuery('get', '/api/v1/nodes', { params: { query } }).data?.results ?? [];
  return nodes.map(({ id, name }) => ({ value: String(id), label: name }));
}

function RunChoicesForm({ crawler, project, onClose }: RunChoicesProps) {
  const form = useForm<RunChoices>({ initialValues: noChoices });
  const nodes = useNodeChoices();
  const { isPending, startRun } = useStartRun(project, useRefusal(form));
  return (
    <form noValidate onSubmit={form.onSubmit((choices) => startRun(runRequest(crawler, choices)))}>
      <Stack>
        <Text size="sm" c="dimmed">
          For this run only. What is left empty is as ever, and as the crawler says.
        </Text>
        <FieldRow>
          <NumberInput
            label="Workers"
            description="Processes that share the work."
            placeholder="As the crawler says"
            min={1}
            allowDecimal={false}
            data-autofocus
            {...form.getInputProps('workers')}
          />
          <NumberInput
            label="Slots of each worker"
            description="Room it takes on its machine."
            placeholder="1"
            min={1}
            allowDecimal={false}
            {...form.getInputProps('slots_per_worker')}
          />
        </FieldRow>
        <FieldRow>
          <NumberInput
            label="Priority"
            description="In the queue, higher goes first."
            placeholder="0"
            allowDecimal={false}
            {...form.getInputProps('priority')}
          />
          <Select
            label="Machine"
            description="It works only there."
            placeholder="Wherever there is room"
            clearable
            searchable
            data={nodes}
            {...form.getInputProps('node')}
          />
        </FieldRow>
        <FieldRow>
          <NumberInput
            label="Time allowed"
            description="It ends then; pauses do not count."
            placeholder="As the crawler says"
            min={0}
            suffix=" min"
            {...form.getInputProps('wall_time_seconds')}
          />
          <TextInput
            type="datetime-local"
            label="Not before"
            description="It waits in the queue until then."
            {...form.getInputProps('earliest_start')}
          />
        </FieldRow>
        <Switch
          label="Hold it"
          description="It waits until somebody releases it on the Jobs page."
          {...form.getInputProps('hold', { type: 'checkbox' })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Start the run
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks on which terms a run shall go; nothing is asked of the server until the dialog is open. */
export function RunChoicesDialog({ opened, ...choices }: RunChoicesProps & { opened: boolean }) {
  return (
    <Modal
      opened={opened}
      onClose={choices.onClose}
      size="lg"
      title="Start with choices"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <RunChoicesForm {...choices} />
    </Modal>
  );
}
