import { Badge, Box, Group, SimpleGrid, Text, Title } from '@mantine/core';
import { $api } from '../api/client';
import type { ClusterNode } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { ListSkeleton } from '../shared/ListSkeleton';
import { sayBytes, sayCount } from '../shared/numbers';
import { PageHeader } from '../shared/PageHeader';
import { NodeIcon } from '../shared/pictures/icons';
import { StatusBadge } from '../shared/StatusBadge';
import surfaces from '../shared/surfaces.module.css';
import { Moment } from '../shared/time';

const newsEveryMs = 10_000;

function NodeCard({ node }: { node: ClusterNode }) {
  return (
    <Box component="li" className={surfaces.card} p="lg" style={{ listStyle: 'none' }}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Group gap="sm" wrap="nowrap">
          <NodeIcon />
          <Title order={2}>{node.name}</Title>
        </Group>
        <StatusBadge status={node.state} />
      </Group>
      <Text size="sm" c="dimmed">
        {node.address || 'this machine'}
        {node.version && ` · version ${node.version}`}
      </Text>
      <Text size="sm" mt="sm">
        {sayCount(node.cores, 'core')}, {sayBytes(node.memory_bytes)} memory
      </Text>
      <Text size="sm">
        Room for {sayCount(node.http_slots, 'plain worker')} and {sayCount(node.browser_slots, 'browser')}
      </Text>
      {node.labels.length > 0 && (
        <Group gap={6} mt="sm">
          {node.labels.map((label) => (
            <Badge key={label} variant="light" color="gray" tt="none">
              {label}
            </Badge>
          ))}
        </Group>
      )}
      <Text size="xs" c="dimmed" mt="sm">
        Last heard of <Moment value={node.heartbeat_at} />
      </Text>
    </Box>
  );
}

export function NodesPage() {
  const query = { page_size: 500, ordering: 'name' };
  const nodes = $api.useQuery(
    'get',
    '/api/v1/nodes',
    { params: { query } },
    { refetchInterval: newsEveryMs },
  );
  return (
    <>
      <PageHeader title="Nodes" description="The machines that do the work." />
      {nodes.error && !nodes.data && <ErrorPanel error={nodes.error} retry={() => void nodes.refetch()} />}
      {nodes.isPending && <ListSkeleton rows={2} height={150} />}
      {nodes.data?.count === 0 && (
        <EmptyState scene="node" title="No machine has reported yet">
          As soon as the head node runs, this machine appears here by itself. More machines can join later,
          and share the work of large crawls.
        </EmptyState>
      )}
      {nodes.data && nodes.data.count > 0 && (
        <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} p={0} m={0} aria-label="Nodes">
          {nodes.data.results.map((node) => (
            <NodeCard key={node.id} node={node} />
          ))}
        </SimpleGrid>
      )}
    </>
  );
}
