import { Button, Group, Pagination } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { $api } from '../api/client';
import type { Project } from '../api/types';
import { EmptyState } from '../shared/EmptyState';
import { ErrorPanel } from '../shared/ErrorPanel';
import { ListSkeleton } from '../shared/ListSkeleton';
import { PageHeader } from '../shared/PageHeader';
import { AddIcon, UploadIcon } from '../shared/pictures/icons';
import { SearchBox } from '../shared/table/SearchBox';
import { listQuery, pageSize, useTableSearch } from '../shared/table/tableSearch';
import { ImportDialog } from './ImportDialog';
import { NewProjectDialog } from './NewProjectDialog';
import { ProjectCard } from './ProjectCard';
import classes from './projects.module.css';

function ProjectGrid({ projects }: { projects: Project[] }) {
  return (
    <ul className={classes.grid} aria-label="Projects">
      {projects.map((project) => (
        <li key={project.id}>
          <ProjectCard project={project} />
        </li>
      ))}
    </ul>
  );
}

function ProjectList({ firstActions }: { firstActions: React.ReactNode }) {
  const [state, changeState] = useTableSearch();
  const query = listQuery({ ordering: '-updated_at', ...state });
  const projects = $api.useQuery(
    'get',
    '/api/v1/projects',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  if (projects.error && !projects.data)
    return <ErrorPanel error={projects.error} retry={() => void projects.refetch()} />;
  if (!projects.data) return <ListSkeleton rows={3} height={150} />;
  const { count, results } = projects.data;
  if (count === 0 && !state.search) {
    return (
      <EmptyState scene="field" title="Start with a project" actions={firstActions}>
        A project gathers everything about one question: what to collect from which websites, and how to
        search it. You design a template, crawl with it, index what came back, and search.
      </EmptyState>
    );
  }
  return (
    <>
      {(count > 6 || state.search) && (
        <Group mb="lg">
          <SearchBox
            label="Search projects"
            value={state.search ?? ''}
            onSearch={(search) => changeState({ search: search || undefined })}
          />
        </Group>
      )}
      {count === 0 ? (
        <p role="status">No project matches “{state.search}”.</p>
      ) : (
        <ProjectGrid projects={results} />
      )}
      {count > pageSize && (
        <Pagination
          mt="lg"
          total={Math.ceil(count / pageSize)}
          value={state.page ?? 1}
          onChange={(page) => changeState({ ...state, page })}
        />
      )}
    </>
  );
}

export function ProjectsPage() {
  const [isCreating, creating] = useDisclosure(false);
  const [isImporting, importing] = useDisclosure(false);
  const actions = (
    <>
      <Button variant="default" leftSection={<UploadIcon />} onClick={importing.open}>
        Import
      </Button>
      <Button leftSection={<AddIcon />} onClick={creating.open}>
        New project
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title="Projects"
        description="Everything you collect and search, one project per question."
        actions={actions}
      />
      <ProjectList firstActions={<Button onClick={creating.open}>Make your first project</Button>} />
      <NewProjectDialog opened={isCreating} onClose={creating.close} />
      <ImportDialog opened={isImporting} onClose={importing.close} />
    </>
  );
}
