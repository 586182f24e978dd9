import { Badge, Button, Code, Group, Menu, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { useState } from 'react';
import type { ActionType } from '../api/types';
import { ReorderableList } from '../shared/forms/ReorderableList';
import { hasErrorsBelow } from '../shared/forms/useRefusal';
import { AddIcon } from '../shared/pictures/icons';
import { ActionFields } from './ActionFields';
import { actionKinds, actionTypes, parametersOf } from './actionTypes';
import { newAction, type ActionValues, type TemplateValues } from './templateForm';

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

interface ActionsEditorProps {
  form: UseFormReturnType<TemplateValues>;
  readOnly: boolean;
}

/** What the browser does on a page before anything is extracted, step by step. */
export function ActionsEditor({ form, readOnly }: ActionsEditorProps) {
  const { actions } = form.values;
  const [opened, setOpened] = useState<string | null>(null);
  const addAction = (type: ActionType) => {
    const added = newAction(type);
    form.insertListItem('actions', added);
    setOpened(added.uid);
  };
  const duplicateAction = (at: number) => {
    const original = actions[at];
    if (original) form.insertListItem('actions', { ...original, uid: randomId() }, at + 1);
  };
  return (
    <Stack gap="md">
      {actions.length === 0 && (
        <Text c="dimmed" size="sm">
          No actions: the page is read as it arrives. That is the fastest, and right for most websites.
        </Text>
      )}
      <ReorderableList
        label="Actions"
        readOnly={readOnly}
        opened={opened}
        onOpen={setOpened}
        onMove={(from, to) => form.reorderListItem('actions', { from, to })}
        onDuplicate={duplicateAction}
        onRemove={(at) => form.removeListItem('actions', at)}
        rows={actions.map((action, at) => ({
          key: action.uid,
          name: `step ${at + 1}, ${actionKinds[action.type].label}`,
          invalid: hasErrorsBelow(form.errors, `actions.${at}`),
          summary: <ActionSummary action={action} number={at + 1} />,
          body: <ActionFields form={form} at={at} />,
        }))}
      />
      {!readOnly && <AddActionMenu onAdd={addAction} />}
    </Stack>
  );
}
