import { Menu, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { $api } from '../api/client';
import { CheckIcon, FolderIcon, SortIcon } from '../shared/pictures/icons';
import { useProject } from '../shared/useProject';
import classes from './Shell.module.css';

const longestMenu = 12;

/** Where one is, and the way to another project. */
export function ProjectSwitcher() {
  const query = { ordering: '-updated_at', page_size: 50 };
  const projects = $api.useQuery('get', '/api/v1/projects', { params: { query } }).data?.results ?? [];
  const current = useProject().data;
  const shown = current?.name ?? 'Choose a project';
  return (
    <Menu width={228} position="bottom-start">
      <Menu.Target>
        <UnstyledButton
          className={classes.switcher}
          aria-label={current ? `Project: ${shown}. Change project` : shown}
        >
          <FolderIcon />
          <Text component="span" truncate className={classes.grow} fz="sm" fw={600}>
            {shown}
          </Text>
          <SortIcon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {projects.length > 0 && <Menu.Label>Projects</Menu.Label>}
        {projects.slice(0, longestMenu).map(({ id, name }) => (
          <Menu.Item
            key={id}
            renderRoot={(props) => (
              <Link to="/projects/$projectId" params={{ projectId: String(id) }} {...props} />
            )}
            rightSection={id === current?.id ? <CheckIcon size={16} /> : null}
          >
            <Text truncate fz="sm">
              {name}
            </Text>
          </Menu.Item>
        ))}
        {projects.length > 0 && <Menu.Divider />}
        <Menu.Item renderRoot={(props) => <Link to="/" {...props} />}>All projects</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
