/** What of a trace lives in the address. */
export interface TraceSearch {
  url?: string;
  q?: string;
}

function readText(raw: unknown): string | undefined {
  const text = typeof raw === 'string' || typeof raw === 'number' ? String(raw).trim() : '';
  return text || undefined;
}

/** Read a trace out of the address; anything odd counts as absent. */
export function readTraceSearch(raw: Record<string, unknown>): TraceSearch {
  return { url: readText(raw.url), q: readText(raw.q) };
}
