import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { LoginPage } from './accounts/LoginPage';
import { safeNext, sessionOptions } from './accounts/session';
import type { LogLevel, PageState, RunnerStatus } from './api/types';
import { jobChoices, type JobChoice } from './jobs/states';
import { ProjectsPage } from './projects/ProjectsPage';
import { logLevels, pageStates, readChoice, runnerStatuses } from './runners/statuses';
import { readLabSearch } from './search/lab/labSearch';
import { readSearchState } from './search/searchState';
import { readTraceSearch } from './search/trace/traceSearch';
import { readTableSearch, readWholeNumber, type TableSearch } from './shared/table/tableSearch';
import { NotFound } from './shell/NotFound';
import { Shell } from './shell/Shell';

type RawSearch = Record<string, unknown>;

/** What pages keep in the address beside a table's state; all of it may be absent. */
type RunnersSearch = TableSearch & { status?: RunnerStatus; crawler?: number };
type RunnerSearch = {
  tab?: 'statistics' | 'log' | 'documents' | 'pages';
  level?: LogLevel;
  state?: PageState;
  answer?: number;
  cursor?: string;
};
type DocumentsSearch = { crawler?: number; cursor?: string };
type JobsSearch = TableSearch & { state?: JobChoice };

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: ({ next }: RawSearch): { next?: string } => (typeof next === 'string' ? { next } : {}),
  beforeLoad: async ({ context, search }) => {
    const me = await context.queryClient.ensureQueryData(sessionOptions());
    if (me.authenticated) throw redirect({ href: safeNext(search.next) });
  },
  component: LoginPage,
});

/** The session is asked for first, so that nothing a visitor may not ask is asked. */
const publicSearch = createRoute({
  getParentRoute: () => root,
  path: '/search/$indexerId',
  validateSearch: readSearchState,
  beforeLoad: async ({ context }) => {
    await context.queryClient.ensureQueryData(sessionOptions());
  },
  component: lazyRouteComponent(() => import('./search/PublicSearchPage'), 'PublicSearchPage'),
});

/** Everything behind the login. A stranger is sent there and comes back to where they wanted to go. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ context, location }) => {
    const me = await context.queryClient.ensureQueryData(sessionOptions());
    if (!me.authenticated) throw redirect({ to: '/login', search: { next: location.href } });
  },
  component: Shell,
});

const projects = createRoute({
  getParentRoute: () => app,
  path: '/',
  validateSearch: readTableSearch,
  component: ProjectsPage,
});

const project = createRoute({ getParentRoute: () => app, path: '/projects/$projectId' });

const overview = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyRouteComponent(() => import('./projects/ProjectPage'), 'ProjectPage'),
});
const members = createRoute({
  getParentRoute: () => project,
  path: '/members',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./projects/MembersPage'), 'MembersPage'),
});
const secrets = createRoute({
  getParentRoute: () => project,
  path: '/secrets',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./projects/SecretsPage'), 'SecretsPage'),
});
const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./projects/ProjectSettingsPage'), 'ProjectSettingsPage'),
});

const templates = createRoute({
  getParentRoute: () => project,
  path: '/templates',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./templates/TemplateListPage'), 'TemplateListPage'),
});
const newTemplate = createRoute({
  getParentRoute: () => project,
  path: '/templates/new',
  component: lazyRouteComponent(() => import('./templates/TemplatePage'), 'NewTemplatePage'),
});
const template = createRoute({
  getParentRoute: () => project,
  path: '/templates/$id',
  component: lazyRouteComponent(() => import('./templates/TemplatePage'), 'TemplatePage'),
});

const crawlers = createRoute({
  getParentRoute: () => project,
  path: '/crawlers',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./crawlers/CrawlerListPage'), 'CrawlerListPage'),
});
const newCrawler = createRoute({
  getParentRoute: () => project,
  path: '/crawlers/new',
  component: lazyRouteComponent(() => import('./crawlers/CrawlerPage'), 'NewCrawlerPage'),
});
const crawler = createRoute({
  getParentRoute: () => project,
  path: '/crawlers/$id',
  component: lazyRouteComponent(() => import('./crawlers/CrawlerPage'), 'CrawlerPage'),
});
const trace = createRoute({
  getParentRoute: () => project,
  path: '/crawlers/$id/trace',
  validateSearch: readTraceSearch,
  component: lazyRouteComponent(() => import('./search/trace/TracePage'), 'TracePage'),
});

const runners = createRoute({
  getParentRoute: () => project,
  path: '/runners',
  validateSearch: (raw: RawSearch): RunnersSearch => ({
    ...readTableSearch(raw),
    status: readChoice(raw.status, runnerStatuses),
    crawler: readWholeNumber(raw.crawler),
  }),
  component: lazyRouteComponent(() => import('./runners/RunnerListPage'), 'RunnerListPage'),
});
const runner = createRoute({
  getParentRoute: () => project,
  path: '/runners/$id',
  validateSearch: (raw: RawSearch): RunnerSearch => ({
    tab: readChoice(raw.tab, ['statistics', 'log', 'documents', 'pages']),
    level: readChoice(raw.level, logLevels),
    state: readChoice(raw.state, pageStates),
    answer: readWholeNumber(raw.answer),
    cursor: typeof raw.cursor === 'string' ? raw.cursor : undefined,
  }),
  component: lazyRouteComponent(() => import('./runners/RunnerPage'), 'RunnerPage'),
});
const documents = createRoute({
  getParentRoute: () => project,
  path: '/documents',
  validateSearch: (raw: RawSearch): DocumentsSearch => ({
    crawler: readWholeNumber(raw.crawler),
    cursor: typeof raw.cursor === 'string' ? raw.cursor : undefined,
  }),
  component: lazyRouteComponent(() => import('./documents/DocumentsPage'), 'DocumentsPage'),
});

const indexers = createRoute({
  getParentRoute: () => project,
  path: '/indexers',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./indexers/IndexerListPage'), 'IndexerListPage'),
});
const newIndexer = createRoute({
  getParentRoute: () => project,
  path: '/indexers/new',
  component: lazyRouteComponent(() => import('./indexers/IndexerPage'), 'NewIndexerPage'),
});
const indexer = createRoute({
  getParentRoute: () => project,
  path: '/indexers/$id',
  validateSearch: ({ tab }: RawSearch): { tab?: 'settings' } =>
    tab === 'settings' ? { tab: 'settings' } : {},
  component: lazyRouteComponent(() => import('./indexers/IndexerPage'), 'IndexerPage'),
});
const lab = createRoute({
  getParentRoute: () => project,
  path: '/indexers/$id/lab',
  validateSearch: readLabSearch,
  component: lazyRouteComponent(() => import('./search/lab/LabPage'), 'LabPage'),
});

const search = createRoute({
  getParentRoute: () => project,
  path: '/search',
  validateSearch: readSearchState,
  component: lazyRouteComponent(() => import('./search/ProjectSearchPage'), 'ProjectSearchPage'),
});
const searchIndexer = createRoute({
  getParentRoute: () => project,
  path: '/search/$indexerId',
  validateSearch: readSearchState,
  component: lazyRouteComponent(() => import('./search/ProjectSearchPage'), 'ProjectSearchPage'),
});

const dictionaries = createRoute({
  getParentRoute: () => project,
  path: '/dictionaries',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./dictionaries/DictionaryListPage'), 'DictionaryListPage'),
});
const newDictionary = createRoute({
  getParentRoute: () => project,
  path: '/dictionaries/new',
  component: lazyRouteComponent(() => import('./dictionaries/DictionaryPage'), 'NewDictionaryPage'),
});
const dictionary = createRoute({
  getParentRoute: () => project,
  path: '/dictionaries/$id',
  component: lazyRouteComponent(() => import('./dictionaries/DictionaryPage'), 'DictionaryPage'),
});

const jobs = createRoute({
  getParentRoute: () => app,
  path: '/jobs',
  validateSearch: (raw: RawSearch): JobsSearch => ({
    ...readTableSearch(raw),
    state: readChoice(raw.state, jobChoices),
  }),
  component: lazyRouteComponent(() => import('./jobs/JobsPage'), 'JobsPage'),
});
const nodes = createRoute({
  getParentRoute: () => app,
  path: '/nodes',
  component: lazyRouteComponent(() => import('./nodes/NodesPage'), 'NodesPage'),
});
const users = createRoute({
  getParentRoute: () => app,
  path: '/users',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./accounts/UsersPage'), 'UsersPage'),
});
const password = createRoute({
  getParentRoute: () => app,
  path: '/account/password',
  component: lazyRouteComponent(() => import('./accounts/PasswordPage'), 'PasswordPage'),
});
const tokens = createRoute({
  getParentRoute: () => app,
  path: '/account/tokens',
  validateSearch: readTableSearch,
  component: lazyRouteComponent(() => import('./accounts/TokensPage'), 'TokensPage'),
});

const elsewhere = createRoute({ getParentRoute: () => app, path: '$', component: NotFound });

const projectRoutes = project.addChildren([
  ...[overview, members, secrets, settings],
  ...[templates, newTemplate, template],
  ...[crawlers, newCrawler, crawler, trace, runners, runner, documents],
  ...[search, searchIndexer],
  ...[indexers, newIndexer, indexer, lab, dictionaries, newDictionary, dictionary],
]);

export const routeTree = root.addChildren([
  login,
  publicSearch,
  app.addChildren([projects, projectRoutes, jobs, nodes, users, password, tokens, elsewhere]),
]);
