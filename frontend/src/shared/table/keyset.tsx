import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ChevronRightIcon } from '../pictures/icons';

/** The cursor inside the address of a neighbouring page; null when there is no such page. */
export function cursorOf(address: string | null | undefined): string | null {
  return address ? new URL(address, window.location.origin).searchParams.get('cursor') : null;
}

interface KeysetPagerProps {
  label: string;
  next: string | null | undefined;
  previous: string | null | undefined;
}

/** Newer and older, for lists too long to count. The place is kept in the address. */
export function KeysetPager({ label, next, previous }: KeysetPagerProps) {
  const navigate = useNavigate();
  const newer = cursorOf(previous);
  const older = cursorOf(next);
  const goTo = (cursor: string | null) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, cursor: cursor ?? undefined })) as never,
    });
  // Back from the second page the server names a cursor or none at all: either way that is the first page.
  const hasNewer = Boolean(previous);
  if (!hasNewer && !older) return null;
  return (
    <Group component="nav" aria-label={label} justify="space-between" p="md">
      <Button
        variant="default"
        size="xs"
        disabled={!hasNewer}
        leftSection={<ChevronRightIcon size={14} className="gl-flip" />}
        onClick={() => goTo(newer)}
      >
        Newer
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={!older}
        rightSection={<ChevronRightIcon size={14} />}
        onClick={() => goTo(older)}
      >
        Older
      </Button>
    </Group>
  );
}
