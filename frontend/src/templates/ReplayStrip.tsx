import { Alert, Badge, Image, Modal, Text, Title, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { Replay, ReplayStep } from '../api/types';
import { sayCount } from '../shared/numbers';
import { actionLabel } from '../shared/actions/actionTypes';
import { ReplayReading } from './ReplayReading';
import classes from './replay.module.css';

const outcomes: Record<ReplayStep['outcome'], { label: string; color: string }> = {
  ok: { label: 'OK', color: 'fern' },
  failed: { label: 'Failed', color: 'red' },
  skipped: { label: 'Skipped', color: 'gray' },
};

/** "840 ms", "4.2 s". */
export function sayMilliseconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function nameOf({ place, type }: ReplayStep): string {
  return place === 0 ? 'Open the page' : `${place}. ${actionLabel(type)}`;
}

function sayOutcomes({ steps, milliseconds }: Replay): string {
  const told = (Object.keys(outcomes) as ReplayStep['outcome'][])
    .map((outcome) => ({ outcome, count: steps.filter((step) => step.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${count} ${outcome}`);
  return `${sayCount(steps.length, 'step')} in ${sayMilliseconds(milliseconds)}: ${told.join(', ')}.`;
}

function StepCard({ step, onEnlarge }: { step: ReplayStep; onEnlarge: () => void }) {
  const { label, color } = outcomes[step.outcome];
  const name = nameOf(step);
  return (
    <li className={classes.step} data-outcome={step.outcome}>
      {step.picture ? (
        <UnstyledButton className={classes.picture} aria-label={`Enlarge: ${name}`} onClick={onEnlarge}>
          <img src={step.picture} alt={`The page after “${name}”`} />
        </UnstyledButton>
      ) : (
        <div className={classes.noPicture}>No picture</div>
      )}
      <div className={classes.told}>
        <div className={classes.stepHead}>
          <Text fw={600} fz="sm">
            {name}
          </Text>
          <Badge variant="light" color={color} tt="none">
            {label}
          </Badge>
        </div>
        <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
          {step.sentence}
        </Text>
        {step.outcome !== 'skipped' && (
          <Text fz="xs" c="dimmed">
            {sayMilliseconds(step.milliseconds)}
            {step.optional && step.outcome === 'failed' && ' · optional, so the chain went on'}
          </Text>
        )}
      </div>
    </li>
  );
}

/** What came of a chain: every step as a card with its picture, then what the template read. */
export function ReplayStrip({ replay }: { replay: Replay }) {
  const [enlarged, setEnlarged] = useState<ReplayStep | null>(null);
  return (
    <section aria-label="What the steps did">
      <Text role="status" size="sm" mb="sm">
        {sayOutcomes(replay)}
      </Text>
      {replay.failure && (
        <Alert color="red" mb="sm" title="No page came of it">
          {replay.failure}
        </Alert>
      )}
      <ol className={classes.strip} aria-label="Steps">
        {replay.steps.map((step) => (
          <StepCard key={step.place} step={step} onEnlarge={() => setEnlarged(step)} />
        ))}
      </ol>
      {replay.preview && (
        <>
          <Title order={3} size="h4" mt="lg" mb="xs">
            What the template reads then
          </Title>
          <ReplayReading preview={replay.preview} />
        </>
      )}
      <Modal
        opened={enlarged !== null}
        onClose={() => setEnlarged(null)}
        title={enlarged && nameOf(enlarged)}
        size="xl"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {enlarged && (
          <>
            <Image src={enlarged.picture} alt={`The page after “${nameOf(enlarged)}”`} radius="md" />
            <Text mt="sm" size="sm">
              {enlarged.sentence}
            </Text>
          </>
        )}
      </Modal>
    </section>
  );
}
