import type { ClusterNode } from '../api/types';
import { sayBytes, sayCount } from '../shared/numbers';

/** The head node's own machine, which needs no invitation and cannot be revoked. */
export function isHead({ name }: ClusterNode): boolean {
  return name === 'localhost';
}

/** Its agent is not there; it can be forgotten. */
export function isAway({ state }: ClusterNode): boolean {
  return state === 'offline' || state === 'lost';
}

export interface Meter {
  label: string;
  /** 0 to 100. */
  percent: number;
  text: string;
  isHigh: boolean;
}

const high = 90;

function meter(label: string, used: number, whole: number, text: string): Meter {
  const percent = whole > 0 ? Math.min(100, Math.max(0, (used / whole) * 100)) : 0;
  return { label, percent, text, isHigh: percent >= high };
}

/** How busy a machine is: workers for its slots, load for its cores, memory. */
export function metersOf(node: ClusterNode): Meter[] {
  const slots = node.http_slots + node.browser_slots;
  const usedMemory = node.memory_bytes - node.memory_free_bytes;
  return [
    meter('Workers', node.running_workers, slots, `${node.running_workers} of ${sayCount(slots, 'slot')}`),
    meter('Load', node.load, node.cores, `${node.load.toFixed(1)} on ${sayCount(node.cores, 'core')}`),
    meter(
      'Memory',
      usedMemory,
      node.memory_bytes,
      `${sayBytes(node.memory_free_bytes)} free of ${sayBytes(node.memory_bytes)}`,
    ),
  ];
}

/** The head node's own machine first, the others by name. */
export function inOrder(nodes: ClusterNode[]): ClusterNode[] {
  return [...nodes.filter(isHead), ...nodes.filter((node) => !isHead(node))];
}
