import { ActionIcon, Box, Collapse, Group, Tooltip, UnstyledButton } from '@mantine/core';
import { useState, type DragEvent, type ReactNode } from 'react';
import { ChevronDownIcon, ChevronUpIcon, CopyIcon, GripIcon, TrashIcon } from '../pictures/icons';
import classes from './ReorderableList.module.css';

export interface ListRow {
  key: string;
  /** What the row is called in the labels of its buttons, e.g. "price". */
  name: string;
  summary: ReactNode;
  body: ReactNode;
  invalid: boolean;
}

interface ReorderableListProps {
  label: string;
  rows: ListRow[];
  opened: string | null;
  onOpen: (key: string | null) => void;
  onMove: (from: number, to: number) => void;
  onDuplicate?: (at: number) => void;
  onRemove: (at: number) => void;
  readOnly: boolean;
}

interface RowButtonsProps {
  name: string;
  at: number;
  count: number;
  onMove: (from: number, to: number) => void;
  onDuplicate?: (at: number) => void;
  onRemove: (at: number) => void;
}

function RowButtons({ name, at, count, onMove, onDuplicate, onRemove }: RowButtonsProps) {
  const buttons = [
    { label: `Move ${name} up`, icon: ChevronUpIcon, act: () => onMove(at, at - 1), disabled: at === 0 },
    {
      label: `Move ${name} down`,
      icon: ChevronDownIcon,
      act: () => onMove(at, at + 1),
      disabled: at === count - 1,
    },
    ...(onDuplicate
      ? [{ label: `Duplicate ${name}`, icon: CopyIcon, act: () => onDuplicate(at), disabled: false }]
      : []),
    { label: `Remove ${name}`, icon: TrashIcon, act: () => onRemove(at), disabled: false },
  ];
  return (
    <Group gap={0} wrap="nowrap" className={classes.buttons}>
      {buttons.map(({ label, icon: Icon, act, disabled }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={act}>
            <Icon size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}

/** An ordered list whose rows open to be edited; order changes by buttons, or by dragging the grip. */
export function ReorderableList(props: ReorderableListProps) {
  const { label, rows, opened, onOpen, onMove, onDuplicate, onRemove, readOnly } = props;
  const [dragged, setDragged] = useState<number | null>(null);
  const dragOver = (event: DragEvent, at: number) => {
    if (dragged === null) return;
    event.preventDefault();
    if (dragged === at) return;
    onMove(dragged, at);
    setDragged(at);
  };
  return (
    <ol className={classes.list} aria-label={label}>
      {rows.map((row, at) => {
        const isOpen = opened === row.key || row.invalid;
        return (
          <li
            key={row.key}
            className={classes.row}
            data-dragged={dragged === at || undefined}
            data-invalid={row.invalid || undefined}
            onDragOver={(event) => dragOver(event, at)}
            onDrop={(event) => event.preventDefault()}
          >
            <Group gap="xs" wrap="nowrap" className={classes.head}>
              {!readOnly && (
                <span
                  className={classes.grip}
                  draggable
                  aria-hidden="true"
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move';
                    setDragged(at);
                  }}
                  onDragEnd={() => setDragged(null)}
                >
                  <GripIcon size={16} />
                </span>
              )}
              <UnstyledButton
                className={classes.summary}
                aria-expanded={isOpen}
                onClick={() => onOpen(isOpen ? null : row.key)}
              >
                {row.summary}
              </UnstyledButton>
              {!readOnly && (
                <RowButtons
                  name={row.name}
                  at={at}
                  count={rows.length}
                  onMove={onMove}
                  onDuplicate={onDuplicate}
                  onRemove={onRemove}
                />
              )}
            </Group>
            <Collapse expanded={isOpen} keepMounted={false}>
              <Box className={classes.body}>{row.body}</Box>
            </Collapse>
          </li>
        );
      })}
    </ol>
  );
}
