import { Text, Tooltip } from '@mantine/core';

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "3 hours ago", "in 2 days", "just now". */
export function sayMoment(then: Date, now: Date): string {
  const seconds = (then.getTime() - now.getTime()) / 1000;
  // What would be told as 60 minutes is an hour.
  const step = steps.find(([, size], place) => Math.abs(seconds) >= size - (steps[place + 1]?.[1] ?? 0) / 2);
  return step ? relative.format(Math.round(seconds / step[1]), step[0]) : 'just now';
}

/** "1 h 04 min", "38 s". */
export function sayDuration(exactSeconds: number): string {
  const seconds = Math.round(exactSeconds);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** A moment in the reader's own words and time zone; the exact time on hover and focus. */
export function Moment({ value, fallback = 'never' }: { value: string | null; fallback?: string }) {
  if (!value)
    return (
      <Text component="span" inherit c="dimmed">
        {fallback}
      </Text>
    );
  const then = new Date(value);
  return (
    <Tooltip label={exact.format(then)}>
      <time dateTime={value} style={{ whiteSpace: 'nowrap' }}>
        {sayMoment(then, new Date())}
      </time>
    </Tooltip>
  );
}

export function sayExactly(value: string): string {
  return exact.format(new Date(value));
}
