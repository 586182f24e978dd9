import { Box, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { LinkButton } from '../shared/LinkButton';
import { CheckIcon } from '../shared/pictures/icons';
import surfaces from '../shared/surfaces.module.css';
import classes from './projects.module.css';
import type { Step, StepState } from './steps';

const spoken: Record<StepState, string> = { done: 'done', next: 'next step', later: 'later' };

function StepBox({ step, number, projectId }: { step: Step; number: number; projectId: string }) {
  return (
    <li className={classes.step} data-state={step.state}>
      <Group gap="sm" wrap="nowrap">
        <span className={classes.marker} aria-hidden="true">
          {step.state === 'done' ? <CheckIcon size={16} /> : number}
        </span>
        <Title order={2}>
          {step.title} <VisuallyHidden>({spoken[step.state]})</VisuallyHidden>
        </Title>
      </Group>
      <Text size="sm" c="dimmed">
        {step.about}
      </Text>
      <Text size="sm" fw={600}>
        {step.standing}
      </Text>
      {step.action && (
        <Box mt="auto" pt={8}>
          <LinkButton
            size="xs"
            variant={step.state === 'next' ? 'filled' : 'default'}
            link={{ to: step.action.to, params: { projectId } as never }}
          >
            {step.action.label}
          </LinkButton>
        </Box>
      )}
    </li>
  );
}

/** The four steps of a project as a path to walk. */
export function StepPath({ steps, projectId }: { steps: Step[]; projectId: number }) {
  return (
    <ol className={`${surfaces.card} ${classes.path}`} aria-label="Steps of this project">
      {steps.map((step, at) => (
        <StepBox key={step.title} step={step} number={at + 1} projectId={String(projectId)} />
      ))}
    </ol>
  );
}
