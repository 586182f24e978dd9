import { vi } from 'vitest';

/** A stand-in for the browser's EventSource, which jsdom lacks: a test says what arrives. */
export class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];

  readyState = FakeEventSource.CONNECTING;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    super();
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  open(): void {
    this.readyState = FakeEventSource.OPEN;
    this.onopen?.();
  }

  /** The connection is lost; `isRefused` says that the browser will not try again. */
  fail(isRefused: boolean): void {
    this.readyState = isRefused ? FakeEventSource.CLOSED : FakeEventSource.CONNECTING;
    this.onerror?.();
  }

  tell(kind: string, data: object): void {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
  }
}

/** Let pages open streams; gives those that they open, newest last. */
export function serveEvents(): FakeEventSource[] {
  FakeEventSource.opened = [];
  vi.stubGlobal('EventSource', FakeEventSource);
  return FakeEventSource.opened;
}

/** Say that the page is looked at, or that it is not. */
export function showPage(isShown: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isShown ? 'visible' : 'hidden');
  document.dispatchEvent(new Event('visibilitychange'));
}
