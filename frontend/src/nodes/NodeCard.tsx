import { Badge, Box, Button, Group, Progress, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { $api } from '../api/client';
import type { ClusterNode } from '../api/types';
import { confirmStep } from '../shared/confirm';
import { notifyDone, notifyError } from '../shared/notify';
import { sayBytes, sayCount } from '../shared/numbers';
import { NodeIcon } from '../shared/pictures/icons';
import { StatusBadge } from '../shared/StatusBadge';
import surfaces from '../shared/surfaces.module.css';
import { Moment } from '../shared/time';
import { isAway, isHead, metersOf, type Meter } from './nodeFacts';
import classes from './nodes.module.css';

function MeterRow({ meter }: { meter: Meter }) {
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap" fz="sm">
        <Text fz="inherit" c="dimmed">
          {meter.label}
        </Text>
        <Text fz="inherit" ta="right" className={classes.figure}>
          {meter.text}
        </Text>
      </Group>
      <Progress
        value={meter.percent}
        color={meter.isHigh ? 'wheat' : 'fern'}
        size="sm"
        mt={2}
        aria-label={`${meter.label}: ${meter.text}`}
      />
    </div>
  );
}

function useNodeActions({ id, name }: ClusterNode) {
  const queries = useQueryClient();
  const request = { params: { path: { id } } };
  const told = (sentence: string) => ({ onError: notifyError, onSuccess: () => notifyDone(sentence) });
  const drain = $api.useMutation(
    'post',
    '/api/v1/nodes/{id}/drain',
    told(`“${name}” finishes what it has and gets nothing new.`),
  );
  const undrain = $api.useMutation('post', '/api/v1/nodes/{id}/undrain', told(`“${name}” gets jobs again.`));
  const revoke = $api.useMutation(
    'post',
    '/api/v1/nodes/{id}/revoke',
    told(`“${name}” cannot connect any more.`),
  );
  const forget = $api.useMutation('delete', '/api/v1/nodes/{id}', {
    ...told(`“${name}” is forgotten.`),
    onSettled: () => void queries.invalidateQueries(),
  });
  return {
    isPending: drain.isPending || undrain.isPending || revoke.isPending || forget.isPending,
    forgetNode: () => forget.mutate(request),
    drainNode: () => drain.mutate(request),
    undrainNode: () => undrain.mutate(request),
    revokeNode: () =>
      confirmStep({
        title: `Revoke the node “${name}”?`,
        consequence:
          'Its database login ends at once and its workers are thrown out; their work goes on elsewhere. To come back it needs a new invitation, or to be allowed again.',
        confirm: 'Revoke',
        cancel: 'Keep it',
        onConfirm: () => revoke.mutate(request),
      }),
  };
}

function NodeButtons({ node }: { node: ClusterNode }) {
  const { isPending, drainNode, undrainNode, revokeNode, forgetNode } = useNodeActions(node);
  const isRevoked = !isHead(node) && !node.is_invited;
  return (
    <Group gap="xs" mt="md">
      {!isRevoked && (
        <Button
          variant="default"
          size="xs"
          disabled={isPending}
          aria-label={`${node.is_draining ? 'Undrain' : 'Drain'} ${node.name}`}
          onClick={node.is_draining ? undrainNode : drainNode}
        >
          {node.is_draining ? 'Undrain' : 'Drain'}
        </Button>
      )}
      {!isHead(node) && isAway(node) && (
        <Button
          variant="default"
          size="xs"
          disabled={isPending}
          aria-label={`Forget ${node.name}`}
          onClick={forgetNode}
        >
          Forget
        </Button>
      )}
      {!isHead(node) && !isRevoked && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          size="xs"
          disabled={isPending}
          aria-label={`Revoke ${node.name}`}
          onClick={revokeNode}
        >
          Revoke
        </Button>
      )}
    </Group>
  );
}

/** One machine: what state it is in, how busy it is, and what an administrator may do about it. */
export function NodeCard({ node, mayDecide }: { node: ClusterNode; mayDecide: boolean }) {
  const hasVitalSigns =
    node.heartbeat_at !== null && (isHead(node) ? node.state !== 'offline' : !isAway(node));
  return (
    <Box component="li" className={`${surfaces.card} ${classes.card}`}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <span className={classes.fixed}>
            <NodeIcon />
          </span>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {node.name}
          </Title>
        </Group>
        <span className={classes.fixed}>
          <StatusBadge status={node.state} />
        </span>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {isHead(node) ? 'the head node’s own machine' : node.address || 'no address yet'}
        {node.version && ` · version ${node.version}`}
      </Text>
      {node.reason && (
        <Text size="sm" mt="xs">
          {node.reason}
        </Text>
      )}
      {hasVitalSigns && (
        <div className={classes.meters}>
          {metersOf(node).map((meter) => (
            <MeterRow key={meter.label} meter={meter} />
          ))}
          <Text size="sm" c="dimmed">
            {sayBytes(node.disk_free_bytes)} of disk free · {sayCount(node.http_slots, 'plain slot')},{' '}
            {sayCount(node.browser_slots, 'browser slot')}
          </Text>
        </div>
      )}
      {node.labels.length > 0 && (
        <Group gap={6} mt="sm">
          {node.labels.map((label) => (
            <Badge key={label} variant="light" color="gray" tt="none">
              {label}
            </Badge>
          ))}
        </Group>
      )}
      {node.heartbeat_at && (
        <Text size="xs" c="dimmed" mt="sm">
          Last heard of <Moment value={node.heartbeat_at} />
        </Text>
      )}
      {mayDecide && <NodeButtons node={node} />}
    </Box>
  );
}
