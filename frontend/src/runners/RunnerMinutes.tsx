import { Box, Skeleton, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { $api } from '../api/client';
import { useNewsInterval } from '../shared/events/live';
import surfaces from '../shared/surfaces.module.css';
import { pointsOf, sayMinutes } from './minutes';

// Charts are large; whoever looks at no chart does not load them.
const MinutesChart = lazy(() => import('./MinutesChart'));

interface RunnerMinutesProps {
  runnerId: number;
  isUnderWay: boolean;
}

/** Pages and documents minute by minute; nothing while there is at most one minute to show. */
export function RunnerMinutes({ runnerId, isUnderWay }: RunnerMinutesProps) {
  const newsEveryMs = useNewsInterval();
  const params = { path: { parent_pk: runnerId } };
  const { data } = $api.useQuery(
    'get',
    '/api/v1/runners/{parent_pk}/minutes',
    { params },
    { refetchInterval: isUnderWay && newsEveryMs },
  );
  const points = Array.isArray(data) ? pointsOf(data) : [];
  if (points.length < 2) return null;
  return (
    <Box component="section" className={surfaces.card} p="lg" mb="md" aria-label="Minute by minute">
      <Title order={2} mb="sm">
        Minute by minute
      </Title>
      <div role="img" aria-label={sayMinutes(points)}>
        <Suspense fallback={<Skeleton height={220} />}>
          <MinutesChart points={points} />
        </Suspense>
      </div>
    </Box>
  );
}
