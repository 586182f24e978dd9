import { Anchor, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Job } from '../api/types';

function linkOf(job: Job): LinkProps {
  const projectId = String(job.project);
  return job.runner !== null
    ? { to: '/projects/$projectId/runners/$id', params: { projectId, id: String(job.runner) } }
    : { to: '/projects/$projectId/indexers/$id', params: { projectId, id: String(job.indexer) } };
}

/** What a job is about, as the way to it. */
export function JobSubject({ job }: { job: Job }) {
  return (
    <>
      <Anchor fz="sm" fw={600} renderRoot={(props) => <Link {...linkOf(job)} {...props} />}>
        {job.subject}
      </Anchor>
      <Text fz="xs" c="dimmed">
        {job.runner !== null ? 'Crawl' : 'Index build'} in {job.project_name} · job {job.id}
      </Text>
    </>
  );
}
