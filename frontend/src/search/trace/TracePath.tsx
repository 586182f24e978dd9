import { Anchor, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { Trace, TraceStep } from '../../api/types';
import { AlertIcon, CheckIcon } from '../../shared/pictures/icons';
import { sayStatus } from '../../shared/StatusBadge';
import surfaces from '../../shared/surfaces.module.css';
import { Moment } from '../../shared/time';
import { StepDetails } from './StepDetails';
import { sayOutcome, sayState, sentenceOfStep, titleOf } from './steps';
import classes from './trace.module.css';

function StepRow({ step, trace, q }: { step: TraceStep; trace: Trace; q: string }) {
  return (
    <li className={classes.step} data-state={step.state}>
      <span className={classes.marker} aria-hidden="true">
        {step.state === 'passed' && <CheckIcon size={15} />}
        {step.state === 'stopped' && <AlertIcon size={17} />}
      </span>
      <div className={classes.told}>
        <Title order={3}>
          {titleOf(step)}
          <VisuallyHidden>: {sayState[step.state]}</VisuallyHidden>
          {step.at && (
            <Text component="span" size="sm" c="dimmed" fw={400}>
              {' '}
              · <Moment value={step.at} />
            </Text>
          )}
        </Title>
        <Text size="sm" className={classes.sentence}>
          {sentenceOfStep(step)}
        </Text>
        <StepDetails step={step} trace={trace} q={q} />
      </div>
    </li>
  );
}

function Outcome({ trace }: { trace: Trace }) {
  const { projectId = '' } = useParams({ strict: false });
  const { run, stopped_at, reason, url } = trace;
  return (
    <div className={classes.outcome} data-stopped={stopped_at !== null || undefined} role="status">
      <Title order={2}>{sayOutcome(trace)}</Title>
      {stopped_at && <Text className={classes.sentence}>{reason}</Text>}
      <Text size="sm" c="dimmed" className={classes.sentence}>
        <Anchor href={url} target="_blank" rel="noreferrer" fz="sm">
          {url}
        </Anchor>
        {run && (
          <>
            {' · '}
            <Anchor
              fz="sm"
              renderRoot={(props) => (
                <Link
                  to="/projects/$projectId/runners/$id"
                  params={{ projectId, id: String(run.id) }}
                  search={{}}
                  {...props}
                />
              )}
            >
              run {run.number}
            </Anchor>
            , {sayStatus(run.status).toLowerCase()}
          </>
        )}
      </Text>
    </div>
  );
}

/** The way of an address from being discovered to its rank, and where it ended. */
export function TracePath({ trace, q }: { trace: Trace; q: string }) {
  return (
    <section aria-label="What became of it" className={`${surfaces.card} ${classes.card}`}>
      <Outcome trace={trace} />
      <ol className={classes.path} aria-label="Steps">
        {trace.steps.map((step) => (
          <StepRow key={step.name} step={step} trace={trace} q={q} />
        ))}
      </ol>
      {!q && (
        <Text size="sm" c="dimmed">
          Give a query above to see also at which place it is for it, and why.
        </Text>
      )}
    </section>
  );
}
