import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { sessionOptions } from './accounts/session';
import { createQueryClient } from './api/queryClient';
import { routeTree } from './routes';
import { NotFound } from './shell/NotFound';
import { RouteTrouble } from './shell/RouteTrouble';

interface CreateAppOptions {
  history?: RouterHistory;
  /** Milliseconds between tries after a network failure; TanStack Query's growing delays when absent. */
  retryDelay?: number;
}

function buildRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteTrouble,
  });
}

/** The router and the cache of one page load, tied so that a session that ends leads to the login page. */
export function createApp({ history, retryDelay }: CreateAppOptions = {}) {
  const queryClient = createQueryClient(() => leadToLogin(), retryDelay);
  const router = buildRouter(queryClient, history);

  function leadToLogin(): void {
    queryClient.setQueryData(
      sessionOptions().queryKey,
      (me) => me && { ...me, authenticated: false, user: null },
    );
    const { pathname, href } = router.state.location;
    if (pathname !== '/login')
      void router.navigate({ to: '/login', search: { next: href }, ignoreBlocker: true });
  }

  return { router, queryClient };
}

export type AppParts = ReturnType<typeof createApp>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppParts['router'];
  }
}
