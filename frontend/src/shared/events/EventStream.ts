import type { QueryClient } from '@tanstack/react-query';
import { concerns, kinds, type News } from './concerns';

const address = '/api/v1/events';
const gatherMs = 1500;
const retryMs = 20_000;

/**
 * The one stream of events of a page load. What arrives makes the answers it concerns stale, gathered so that a busy
 * crawl causes one question in a while, not one for each event.
 *
 * A connection that breaks is taken up by the browser itself, after the last event it got. One that the server refuses
 * is tried anew after a while. A hidden page listens to nothing and catches up when it is looked at again.
 */
export class EventStream {
  private source: EventSource | null = null;
  private gathered: News[] = [];
  private flushing: ReturnType<typeof setTimeout> | null = null;
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
      if (this.wasOpen) this.take({ kind: 'reset' });
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
    for (const timer of [this.flushing, this.retrying]) if (timer) clearTimeout(timer);
    this.flushing = this.retrying = null;
    this.gathered = [];
    this.onLive(false);
  }

  private tryAnew(): void {
    this.close();
    this.retrying = setTimeout(() => this.followVisibility(), retryMs);
  }

  private read(kind: News['kind'], event: MessageEvent<string>): void {
    const data = JSON.parse(event.data) as { runner?: number | null; indexer?: number | null };
    this.take({ kind, runner: data.runner, indexer: data.indexer });
  }

  private take(news: News): void {
    const isKnown = this.gathered.some(
      (each) => each.kind === news.kind && each.runner === news.runner && each.indexer === news.indexer,
    );
    if (!isKnown) this.gathered.push(news);
    this.flushing ??= setTimeout(() => this.flush(), gatherMs);
  }

  private flush(): void {
    const gathered = this.gathered;
    this.gathered = [];
    this.flushing = null;
    void this.queries.invalidateQueries({
      predicate: ({ queryKey }) => gathered.some((news) => concerns(news, queryKey)),
    });
  }
}
