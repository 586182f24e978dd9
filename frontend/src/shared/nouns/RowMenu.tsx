import { ActionIcon, Menu } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { CopyIcon, DotsIcon, EditIcon, TrashIcon } from '../pictures/icons';

interface RowMenuProps {
  name: string;
  editLink?: LinkProps;
  onEdit?: () => void;
  onDuplicate?: () => void;
  onDelete?: () => void;
}

/** What can be done with one row of a table. */
export function RowMenu({ name, editLink, onEdit, onDuplicate, onDelete }: RowMenuProps) {
  return (
    <Menu position="bottom-end" width={170}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {editLink && (
          <Menu.Item
            leftSection={<EditIcon size={16} />}
            renderRoot={(props) => <Link {...editLink} {...props} />}
          >
            Edit
          </Menu.Item>
        )}
        {onEdit && (
          <Menu.Item leftSection={<EditIcon size={16} />} onClick={onEdit}>
            Edit
          </Menu.Item>
        )}
        {onDuplicate && (
          <Menu.Item leftSection={<CopyIcon size={16} />} onClick={onDuplicate}>
            Duplicate
          </Menu.Item>
        )}
        {onDelete && (
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<TrashIcon size={16} />}
            onClick={onDelete}
          >
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
