import { Button, Modal, SimpleGrid, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAccount } from '../accounts/session';
import { $api } from '../api/client';
import type { ClusterNode } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { ListSkeleton } from '../shared/ListSkeleton';
import { sayCount } from '../shared/numbers';
import { PageHeader } from '../shared/PageHeader';
import { AddIcon } from '../shared/pictures/icons';
import { InviteNode } from './InviteNode';
import { NodeCard } from './NodeCard';
import { inOrder, isAway, isHead } from './nodeFacts';

// Events tell when a node changes its state. Its load and memory move all the time, and are asked for.
const vitalSignsEveryMs = 15_000;

/** The work of a lost node goes on elsewhere: the last it said would count workers twice. A head's workers go on. */
function saySummary(nodes: ClusterNode[]): string {
  const here = nodes.filter(({ state }) => state === 'online' || state === 'busy');
  const known = nodes.filter((node) => isHead(node) || !isAway(node));
  const workers = known.reduce((sum, { running_workers }) => sum + running_workers, 0);
  const slots = here.reduce((sum, node) => sum + node.http_slots + node.browser_slots, 0);
  return `${here.length} of ${sayCount(nodes.length, 'node')} at work, ${sayCount(workers, 'worker')} in ${sayCount(slots, 'slot')}.`;
}

export function NodesPage() {
  const [opened, dialog] = useDisclosure(false);
  const mayDecide = useAccount()?.is_admin ?? false;
  const query = { page_size: 500, ordering: 'name' };
  const nodes = $api.useQuery(
    'get',
    '/api/v1/nodes',
    { params: { query } },
    { refetchInterval: vitalSignsEveryMs },
  );
  const inviteButton = mayDecide && (
    <Button leftSection={<AddIcon />} onClick={dialog.open}>
      Invite a machine
    </Button>
  );
  return (
    <>
      <PageHeader title="Nodes" description="The machines that do the work." actions={inviteButton} />
      {nodes.error && !nodes.data && <ErrorPanel error={nodes.error} retry={() => void nodes.refetch()} />}
      {nodes.isPending && <ListSkeleton rows={2} height={150} />}
      {nodes.data?.count === 0 && (
        <EmptyState scene="node" title="No machine has reported yet">
          As soon as the head node runs, this machine appears here by itself. More machines can join later,
          and share the work of large crawls.
        </EmptyState>
      )}
      {nodes.data && nodes.data.count > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="md">
            {saySummary(nodes.data.results)}
          </Text>
          <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} p={0} m={0} aria-label="Nodes">
            {inOrder(nodes.data.results).map((node) => (
              <NodeCard key={node.id} node={node} mayDecide={mayDecide} />
            ))}
          </SimpleGrid>
        </>
      )}
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="Invite a machine"
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <InviteNode onDone={dialog.close} />
      </Modal>
    </>
  );
}
