import type { Minute } from '../api/types';
import { sayCount } from '../shared/numbers';

export interface MinutePoint {
  /** “14:05”, in the reader's time zone. */
  time: string;
  pages: number;
  documents: number;
  failed: number;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** One point per minute from the first to the last; a minute in which nothing happened counts as none. */
export function pointsOf(minutes: Minute[]): MinutePoint[] {
  const known = new Map(minutes.map((each) => [each.minute, each]));
  const [first, last] = [minutes[0]?.minute, minutes.at(-1)?.minute];
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const { pages = 0, documents = 0, failed = 0 } = known.get(first + at) ?? {};
    return { time: clock.format(new Date((first + at) * 60_000)), pages, documents, failed };
  });
}

/** What the chart shows, in a sentence for those who do not see it. */
export function sayMinutes(points: MinutePoint[]): string {
  const most = (name: 'pages' | 'documents') => Math.max(...points.map((point) => point[name]));
  const pages = sayCount(most('pages'), 'page');
  const documents = sayCount(most('documents'), 'document');
  const from = `From ${points[0]?.time} to ${points.at(-1)?.time}`;
  return `${from}: at most ${pages} and ${documents} a minute.`;
}
