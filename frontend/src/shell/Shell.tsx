import { AppShell, Box, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Events } from '../shared/events/Events';
import { LogoMark } from '../shared/pictures/Logo';
import { AccountMenu } from './AccountMenu';
import { AwayNotice } from './AwayNotice';
import { PendingBar } from './PendingBar';
import { ProjectSwitcher } from './ProjectSwitcher';
import { SideNavigation } from './SideNavigation';
import classes from './Shell.module.css';

function Brand() {
  return (
    <Link to="/" className={classes.brand} aria-label="Gleaner, all projects">
      <LogoMark size={28} />
      <Text component="span" fw={700} fz={17} lts="-0.02em">
        Gleaner
      </Text>
    </Link>
  );
}

/** After a change of page the reading starts at the top of the main part, also for a screen reader. */
function useFocusOnNavigation(close: () => void): void {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  useEffect(() => {
    close();
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [pathname, close]);
}

/** The frame around every page behind the login: skip link, navigation, main part. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  useFocusOnNavigation(close);
  return (
    <AppShell
      header={{ height: { base: 56, md: 0 } }}
      navbar={{ width: 256, breakpoint: 'md', collapsed: { mobile: !opened } }}
      withBorder={false}
    >
      <a href="#main" className="gl-skip-link">
        Skip to the content
      </a>
      <PendingBar />
      <AppShell.Header className={classes.header} hiddenFrom="md">
        <Group h="100%" px="md" justify="space-between">
          <Brand />
          <Burger
            opened={opened}
            onClick={toggle}
            size="sm"
            aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
            aria-expanded={opened}
          />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <Box visibleFrom="md" px="xs" pb="md">
          <Brand />
        </Box>
        <ProjectSwitcher />
        <SideNavigation />
        <AccountMenu />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.content}>
          <Events>
            <AwayNotice />
            <Outlet />
          </Events>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
