import { Badge, Button, Code, Group, Menu, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { useState } from 'react';
import type { ActionType } from '../../api/types';
import { ReorderableList } from '../forms/ReorderableList';
import { hasErrorsBelow } from '../forms/useRefusal';
import { AddIcon } from '../pictures/icons';
import { ActionFields } from './ActionFields';
import { actionKinds, actionTypes, parametersOf } from './actionTypes';
import { newAction, type ActionValues } from './actionValues';

function ActionSummary({ action, number }: { action: ActionValues; number: number }) {
  const [first] = parametersOf(action.type);
  const detail = first ? String(action[first[0]]) : '';
  return (
    <Group gap="sm" wrap="nowrap">
      <Text component="span" c="dimmed" fz="sm" fw={600}>
        {number}.
      </Text>
      <Text component="span" fw={600} fz="sm" style={{ flexShrink: 0 }}>
        {actionKinds[action.type].label}
      </Text>
      {action.optional && (
        <Badge variant="light" color="gray" tt="none" style={{ flexShrink: 0 }}>
          optional
        </Badge>
      )}
      {detail && (
        <Code
          visibleFrom="sm"
          style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 }}
        >
          {detail}
        </Code>
      )}
    </Group>
  );
}

function AddActionMenu({ onAdd }: { onAdd: (type: ActionType) => void }) {
  return (
    <Menu width={300} position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="light" leftSection={<AddIcon />} style={{ alignSelf: 'flex-start' }}>
          Add action
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {actionTypes.map((type) => (
          <Menu.Item key={type} onClick={() => onAdd(type)}>
            <Text fz="sm" fw={600}>
              {actionKinds[type].label}
            </Text>
            <Text fz="xs" c="dimmed">
              {actionKinds[type].about}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ActionsEditorProps<Values extends object> {
  form: UseFormReturnType<Values>;
  /** Where the chain is in the form. */
  path: string;
  actions: ActionValues[];
  readOnly: boolean;
  label?: string;
  /** What to say while there is no step. */
  empty: string;
  typesSecrets?: boolean;
}

/** A chain of steps for a browser: an ordered list, each opening into its details. */
export function ActionsEditor<Values extends object>(props: ActionsEditorProps<Values>) {
  const { form, actions, readOnly, label = 'Actions', empty, typesSecrets = false } = props;
  const path = props.path as never;
  const [opened, setOpened] = useState<string | null>(null);
  const addAction = (type: ActionType) => {
    const added = newAction(type);
    form.insertListItem(path, added as never);
    setOpened(added.uid);
  };
  const duplicateAction = (at: number) => {
    const original = actions[at];
    if (original) form.insertListItem(path, { ...original, uid: randomId() } as never, at + 1);
  };
  return (
    <Stack gap="md">
      {form.errors[props.path] && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {form.errors[props.path]}
        </Text>
      )}
      {actions.length === 0 && (
        <Text c="dimmed" size="sm">
          {empty}
        </Text>
      )}
      <ReorderableList
        label={label}
        readOnly={readOnly}
        opened={opened}
        onOpen={setOpened}
        onMove={(from, to) => form.reorderListItem(path, { from, to })}
        onDuplicate={duplicateAction}
        onRemove={(at) => form.removeListItem(path, at)}
        rows={actions.map((action, at) => ({
          key: action.uid,
          name: `step ${at + 1}, ${actionKinds[action.type].label}`,
          invalid: hasErrorsBelow(form.errors, `${props.path}.${at}`),
          summary: <ActionSummary action={action} number={at + 1} />,
          body: (
            <ActionFields
              form={form}
              path={`${props.path}.${at}`}
              action={action}
              typesSecrets={typesSecrets}
            />
          ),
        }))}
      />
      {!readOnly && <AddActionMenu onAdd={addAction} />}
    </Stack>
  );
}
