import { Text } from '@mantine/core';
import { Link, useParams, type LinkProps } from '@tanstack/react-router';
import { useAccount } from '../accounts/session';
import {
  BookIcon,
  CrawlIcon,
  DocumentIcon,
  FolderIcon,
  HomeIcon,
  IndexIcon,
  JobsIcon,
  LockIcon,
  NodeIcon,
  PlayIcon,
  SearchIcon,
  SettingsIcon,
  TargetIcon,
  UsersIcon,
  type Icon,
} from '../shared/pictures/icons';
import { useMayEdit } from '../shared/useProject';
import classes from './Shell.module.css';

interface Entry {
  label: string;
  icon: Icon;
  to: LinkProps['to'];
  exact?: boolean;
  /** Only those who may change the project may see it. */
  editorsOnly?: boolean;
}

interface Section {
  title: string;
  step?: number;
  entries: Entry[];
}

const projectSections: Section[] = [
  {
    title: 'Design',
    step: 1,
    entries: [{ label: 'Templates', icon: TargetIcon, to: '/projects/$projectId/templates' }],
  },
  {
    title: 'Crawl',
    step: 2,
    entries: [
      { label: 'Crawlers', icon: CrawlIcon, to: '/projects/$projectId/crawlers' },
      { label: 'Runners', icon: PlayIcon, to: '/projects/$projectId/runners' },
      { label: 'Documents', icon: DocumentIcon, to: '/projects/$projectId/documents' },
    ],
  },
  {
    title: 'Index',
    step: 3,
    entries: [
      { label: 'Indexers', icon: IndexIcon, to: '/projects/$projectId/indexers' },
      { label: 'Dictionaries', icon: BookIcon, to: '/projects/$projectId/dictionaries' },
    ],
  },
  {
    title: 'Search',
    step: 4,
    entries: [{ label: 'Search', icon: SearchIcon, to: '/projects/$projectId/search' }],
  },
  {
    title: 'Project',
    entries: [
      { label: 'Members', icon: UsersIcon, to: '/projects/$projectId/members' },
      { label: 'Secrets', icon: LockIcon, to: '/projects/$projectId/secrets', editorsOnly: true },
      { label: 'Settings', icon: SettingsIcon, to: '/projects/$projectId/settings' },
    ],
  },
];

const workspace: Section = {
  title: 'Workspace',
  entries: [
    { label: 'All projects', icon: FolderIcon, to: '/', exact: true },
    { label: 'Jobs', icon: JobsIcon, to: '/jobs' },
    { label: 'Nodes', icon: NodeIcon, to: '/nodes' },
  ],
};

const users: Entry = { label: 'Users', icon: UsersIcon, to: '/users' };

function NavEntry({ entry, projectId }: { entry: Entry; projectId?: string }) {
  return (
    <Link
      to={entry.to}
      params={(projectId ? { projectId } : {}) as never}
      activeOptions={{ exact: entry.exact ?? false, includeSearch: false }}
      className={classes.navLink}
    >
      <entry.icon />
      {entry.label}
    </Link>
  );
}

function NavSection({ section, projectId }: { section: Section; projectId?: string }) {
  const editable = useMayEdit();
  const entries = section.entries.filter(({ editorsOnly }) => editable || !editorsOnly);
  return (
    <div className={classes.navGroup}>
      <Text component="h2" className={classes.navTitle}>
        {section.step && (
          <span className={classes.navStep} aria-hidden="true">
            {section.step}
          </span>
        )}
        {section.title}
      </Text>
      {entries.map((entry) => (
        <NavEntry key={entry.label} entry={entry} projectId={projectId} />
      ))}
    </div>
  );
}

/** The steps of the project at hand, and what lies outside of projects. */
export function SideNavigation() {
  const { projectId } = useParams({ strict: false });
  const isAdmin = useAccount()?.is_admin ?? false;
  const general = isAdmin ? { ...workspace, entries: [...workspace.entries, users] } : workspace;
  return (
    <nav aria-label="Main" className={classes.nav}>
      {projectId && (
        <>
          <NavEntry
            entry={{ label: 'Overview', icon: HomeIcon, to: '/projects/$projectId', exact: true }}
            projectId={projectId}
          />
          {projectSections.map((section) => (
            <NavSection key={section.title} section={section} projectId={projectId} />
          ))}
        </>
      )}
      <NavSection section={general} />
    </nav>
  );
}
