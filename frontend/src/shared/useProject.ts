import { useParams } from '@tanstack/react-router';
import { $api } from '../api/client';
import type { Role } from '../api/types';

/** The number of the project in the address. */
export function useProjectId(): number {
  return Number(useParams({ strict: false }).projectId);
}

export function useProject() {
  const id = useProjectId();
  return $api.useQuery('get', '/api/v1/projects/{id}', { params: { path: { id } } }, { enabled: id > 0 });
}

/** Viewers look, editors change what is configured, administrators also decide who may. */
export function mayEdit(role: Role | undefined): boolean {
  return role === 'editor' || role === 'admin';
}

export function useMayEdit(): boolean {
  return mayEdit(useProject().data?.role);
}

export function useMayAdminister(): boolean {
  return useProject().data?.role === 'admin';
}
