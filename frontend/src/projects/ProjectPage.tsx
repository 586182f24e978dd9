import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ErrorPanel } from '../shared/ErrorPanel';
import { ListSkeleton } from '../shared/ListSkeleton';
import { PageHeader } from '../shared/PageHeader';
import { DownloadIcon, UploadIcon } from '../shared/pictures/icons';
import { FirstSteps } from './FirstSteps';
import { ImportDialog } from './ImportDialog';
import { RecentWork } from './RecentWork';
import { RoleBadge } from './RoleBadge';
import { StepPath } from './StepPath';
import { stepsOf } from './steps';
import { mayEdit, useProject } from '../shared/useProject';

export function ProjectPage() {
  const [isImporting, importing] = useDisclosure(false);
  const { data: project, error, refetch } = useProject();
  if (error && !project) return <ErrorPanel wholePage error={error} retry={() => void refetch()} />;
  if (!project) return <ListSkeleton rows={3} height={120} />;
  const editable = mayEdit(project.role);
  const actions = (
    <>
      {editable && (
        <Button variant="default" leftSection={<UploadIcon />} onClick={importing.open}>
          Import
        </Button>
      )}
      <Button
        component="a"
        href={`/api/v1/projects/${project.id}/export`}
        download
        variant="default"
        leftSection={<DownloadIcon />}
      >
        Export
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title={project.name}
        description={project.description}
        badge={<RoleBadge role={project.role} />}
        actions={actions}
      />
      <StepPath steps={stepsOf(project.counts, editable)} projectId={project.id} />
      {project.counts.templates > 0 ? (
        <RecentWork projectId={project.id} />
      ) : (
        <FirstSteps projectId={project.id} editable={editable} onImport={importing.open} />
      )}
      <ImportDialog opened={isImporting} onClose={importing.close} projectId={project.id} />
    </>
  );
}
