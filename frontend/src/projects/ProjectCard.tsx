import { Box, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { Project } from '../api/types';
import { sayNumber } from '../shared/numbers';
import surfaces from '../shared/surfaces.module.css';
import { Moment } from '../shared/time';
import { RoleBadge } from './RoleBadge';
import classes from './projects.module.css';

const shown = ['templates', 'crawlers', 'documents', 'indexers'] as const;

export function ProjectCard({ project }: { project: Project }) {
  const titleId = useId();
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId: String(project.id) }}
      aria-labelledby={titleId}
      className={`${surfaces.card} ${surfaces.cardLink} ${classes.projectCard}`}
    >
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Title order={2} id={titleId} className={classes.projectName}>
          {project.name}
        </Title>
        <RoleBadge role={project.role} />
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} mih={40}>
        {project.description || 'No description yet.'}
      </Text>
      <dl className={classes.counts}>
        {shown.map((name) => (
          <Box key={name}>
            <dt>{name}</dt>
            <dd>{sayNumber(project.counts[name])}</dd>
          </Box>
        ))}
      </dl>
      <Text size="xs" c="dimmed">
        Changed <Moment value={project.updated_at} />
      </Text>
    </Link>
  );
}
