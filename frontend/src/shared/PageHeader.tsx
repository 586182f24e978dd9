import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRightIcon } from './pictures/icons';

export interface Crumb {
  label: string;
  link: LinkProps;
}

interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  crumbs?: Crumb[];
  badge?: ReactNode;
  actions?: ReactNode;
}

function Crumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <Group component="nav" aria-label="Breadcrumb" gap={4} mb={6} fz="sm">
      {crumbs.map(({ label, link }) => (
        <Group key={label} gap={4} c="dimmed" wrap="nowrap">
          <Anchor renderRoot={(props) => <Link {...link} {...props} />} c="dimmed" fz="sm">
            {label}
          </Anchor>
          <ChevronRightIcon size={14} />
        </Group>
      ))}
    </Group>
  );
}

/** The head of every page: names the browser tab, and takes the focus so that a screen reader says where it is. */
export function PageHeader({ title, description, crumbs, badge, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useDocumentTitle(`${title} · Gleaner`);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Box component="header" mb="xl">
      {crumbs && <Crumbs crumbs={crumbs} />}
      <Group justify="space-between" align="flex-start" gap="md">
        <Box flex="1 1 280px" miw={0}>
          <Group gap="sm">
            <Title order={1} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {badge}
          </Group>
          {description && (
            <Text c="dimmed" mt={4} maw={680}>
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </Box>
  );
}
