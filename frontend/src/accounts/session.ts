import { useQueryClient } from '@tanstack/react-query';
import { $api } from '../api/client';
import type { Account } from '../api/types';

/** Who is signed in, as the server sees it. The rest of the app never asks otherwise. */
export function sessionOptions() {
  return $api.queryOptions('get', '/api/v1/auth/me', undefined, { staleTime: 60_000 });
}

/** The person signed in. Pages behind the login may rely on there being one. */
export function useAccount(): Account | null {
  return $api.useQuery('get', '/api/v1/auth/me', undefined, { staleTime: 60_000 }).data?.user ?? null;
}

/** Forget everything of this session: the next person on this browser must not see it. */
export function useForgetSession(): () => void {
  const queryClient = useQueryClient();
  return () => queryClient.clear();
}

/** Only paths of this site are followed after signing in. */
export function safeNext(next: string | undefined): string {
  return next?.startsWith('/') && !next.startsWith('//') && !next.startsWith('/\\') ? next : '/';
}
