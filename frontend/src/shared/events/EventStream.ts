import type { QueryClient } from '@tanstack/react-query';
import { concerns, kinds, type News } from './concerns';
import { showIndexProgress, showProgress, type IndexProgress, type Progress } from './progress';

const address = '/api/v1/events';
const soonMs = 1500;
const laterMs = 6000;
const retryMs = 20_000;

/** Only parts of it are in each event. */
type Told = Partial<Omit<Progress, 'status'> & Omit<IndexProgress, 'status'>> & { status?: string };

/** All that is not a number which grows. */
function situationOf({ status, reason, served, build }: Told): string {
  return [status, reason, served, build?.name].join(' ');
}

/** News that wait until so much time has passed since the first of them. */
class Gathering {
  private news: News[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly afterMs: number,
    private readonly spread: (news: News[]) => void,
  ) {}

  add(news: News): void {
    const isKnown = this.news.some(
      (each) => each.kind === news.kind && each.runner === news.runner && each.indexer === news.indexer,
    );
    if (!isKnown) this.news.push(news);
    this.timer ??= setTimeout(() => this.flush(), this.afterMs);
  }

  clear(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.news = [];
  }

  private flush(): void {
    const gathered = this.news;
    this.clear();
    this.spread(gathered);
  }
}

/**
 * The one stream of events of a page load. What arrives makes the answers it concerns stale, gathered so that a busy
 * crawl causes one question in a while, not one for each event. The progress of a run and of an index is shown as it is told.
 *
 * A connection that breaks is taken up by the browser itself, after the last event it got. One that the server refuses
 * is tried anew after a while. A hidden page listens to nothing and catches up when it is looked at again.
 */
export class EventStream {
  private source: EventSource | null = null;
  private readonly soon = new Gathering(soonMs, (news) => this.askAgain(news));
  private readonly later = new Gathering(laterMs, (news) => this.askAgain(news));
  /** The last situation told of each run and index. */
  private readonly situations = new Map<string, string>();
  private retrying: ReturnType<typeof setTimeout> | null = null;
  private wasOpen = false;

  constructor(
    private readonly queries: QueryClient,
    private readonly onLive: (isLive: boolean) => void,
  ) {}

  start(): void {
    document.addEventListener('visibilitychange', this.followVisibility);
    this.followVisibility();
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.followVisibility);
    this.close();
  }

  private followVisibility = (): void => {
    if (document.visibilityState === 'hidden') this.close();
    else if (!this.source) this.open();
  };

  private open(): void {
    if (typeof EventSource === 'undefined') return;
    const source = new EventSource(address);
    this.source = source;
    source.onopen = () => {
      this.onLive(true);
      if (this.wasOpen) this.soon.add({ kind: 'reset' });
      this.wasOpen = true;
    };
    source.onerror = () => {
      this.onLive(false);
      if (source.readyState === EventSource.CLOSED) this.tryAnew();
    };
    for (const kind of kinds) source.addEventListener(kind, (event) => this.read(kind, event));
  }

  private close(): void {
    this.source?.close();
    this.source = null;
    if (this.retrying) clearTimeout(this.retrying);
    this.retrying = null;
    this.soon.clear();
    this.later.clear();
    this.onLive(false);
  }

  private tryAnew(): void {
    this.close();
    this.retrying = setTimeout(() => this.followVisibility(), retryMs);
  }

  private read(kind: News['kind'], event: MessageEvent<string>): void {
    const data = JSON.parse(event.data) as Told;
    if (kind === 'runner') showProgress(this.queries, data as Progress);
    if (kind === 'indexer') showIndexProgress(this.queries, data as IndexProgress);
    const news = { kind, runner: data.runner, indexer: data.indexer };
    if (kind === 'runner' || kind === 'indexer') this.follow(news, situationOf(data));
    else this.soon.add(news);
  }

  /** Numbers that grow can wait; another situation is asked about at once. */
  private follow(news: News, situation: string): void {
    const subject = `${news.kind} ${news.runner ?? news.indexer}`;
    const isAnother = this.situations.get(subject) !== situation;
    this.situations.set(subject, situation);
    (isAnother ? this.soon : this.later).add(news);
  }

  private askAgain(gathered: News[]): void {
    void this.queries.invalidateQueries({
      predicate: ({ queryKey }) => gathered.some((news) => concerns(news, queryKey)),
    });
  }
}
