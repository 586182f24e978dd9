import { Anchor, Box, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { $api } from '../api/client';
import surfaces from '../shared/surfaces.module.css';
import { Moment } from '../shared/time';

interface RecentEntry {
  id: number;
  name: string;
  at: string;
  link: LinkProps;
}

function RecentCard({ title, entries }: { title: string; entries: RecentEntry[] }) {
  if (!entries.length) return null;
  return (
    <Box className={surfaces.card} p="lg">
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Stack gap={8}>
        {entries.map(({ id, name, at, link }) => (
          <Group key={id} justify="space-between" wrap="nowrap">
            <Anchor renderRoot={(props) => <Link {...link} {...props} />} truncate fz="sm" fw={500}>
              {name}
            </Anchor>
            <Text size="xs" c="dimmed">
              <Moment value={at} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Box>
  );
}

/** What was last worked on, as ways back into it. */
export function RecentWork({ projectId }: { projectId: number }) {
  const params = { query: { project: projectId, ordering: '-updated_at', page_size: 4 } };
  const templates = $api.useQuery('get', '/api/v1/templates', { params }).data?.results ?? [];
  const crawlers = $api.useQuery('get', '/api/v1/crawlers', { params }).data?.results ?? [];
  const indexers = $api.useQuery('get', '/api/v1/indexers', { params }).data?.results ?? [];
  const project = String(projectId);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      <RecentCard
        title="Templates"
        entries={templates.map(({ id, name, updated_at }) => ({
          id,
          name,
          at: updated_at,
          link: { to: '/projects/$projectId/templates/$id', params: { projectId: project, id: String(id) } },
        }))}
      />
      <RecentCard
        title="Crawlers"
        entries={crawlers.map(({ id, name, updated_at }) => ({
          id,
          name,
          at: updated_at,
          link: { to: '/projects/$projectId/crawlers/$id', params: { projectId: project, id: String(id) } },
        }))}
      />
      <RecentCard
        title="Indexers"
        entries={indexers.map(({ id, name, updated_at }) => ({
          id,
          name,
          at: updated_at,
          link: { to: '/projects/$projectId/indexers/$id', params: { projectId: project, id: String(id) } },
        }))}
      />
    </SimpleGrid>
  );
}
