import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Job } from '../api/types';

/** What a job is about, as the way to it. */
export function JobSubject({ job }: { job: Job }) {
  const projectId = String(job.project);
  if (job.runner !== null) {
    const params = { projectId, id: String(job.runner) };
    return (
      <Anchor
        fz="sm"
        fw={600}
        renderRoot={(props) => <Link to="/projects/$projectId/runners/$id" params={params} {...props} />}
      >
        Crawl, runner {job.runner}
      </Anchor>
    );
  }
  if (job.indexer !== null) {
    const params = { projectId, id: String(job.indexer) };
    return (
      <Anchor
        fz="sm"
        fw={600}
        renderRoot={(props) => <Link to="/projects/$projectId/indexers/$id" params={params} {...props} />}
      >
        Index build, indexer {job.indexer}
      </Anchor>
    );
  }
  return <Text fz="sm">Job {job.id}</Text>;
}
