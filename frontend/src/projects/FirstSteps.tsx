import { Button } from '@mantine/core';
import { EmptyState } from '../shared/EmptyState';
import { LinkButton } from '../shared/LinkButton';

interface FirstStepsProps {
  projectId: number;
  editable: boolean;
  onImport: () => void;
}

/** A project with nothing in it yet: the two ways to begin. */
export function FirstSteps({ projectId, editable, onImport }: FirstStepsProps) {
  const params = { projectId: String(projectId) };
  const actions = editable && (
    <>
      <LinkButton link={{ to: '/projects/$projectId/templates/new', params }}>Make a template</LinkButton>
      <Button variant="default" onClick={onImport}>
        Import a project file
      </Button>
    </>
  );
  return (
    <EmptyState scene="field" title="Begin with what you want to keep" actions={actions}>
      Open a page of the website you have in mind. Which things on it matter: a title, a price, a date? Each
      becomes an inspector of your first template. Or bring in a project file that somebody shared with you.
    </EmptyState>
  );
}
