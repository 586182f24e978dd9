/** What the server says when it refuses: sentences for people, by field where it knows the field. */
export type FieldErrors = Record<string, string[]>;

interface ErrorBody {
  code: string;
  detail: string;
  fields: FieldErrors;
}

/** Every failed call of the API becomes one of these; status 0 means that no answer came at all. */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly fields: FieldErrors = {},
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(detail);
  }

  get isNetworkFailure(): boolean {
    return this.status === 0;
  }

  /** True when asking again may help: no answer, or an answer that admits a passing trouble. */
  get isPassing(): boolean {
    return this.status === 0 || [502, 503, 504].includes(this.status);
  }
}

const sentenceByStatus: Record<number, string> = {
  401: 'Your session has ended. Please sign in again.',
  403: 'Your role in this project does not allow that.',
  404: 'This does not exist, or you may not see it.',
  413: 'That file is too large for the server.',
  429: 'Too many requests. Please wait a moment and try again.',
};

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof body === 'object' && body !== null && typeof (body as ErrorBody).detail === 'string';
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return null;
  }
}

/** Read a refusal. A body that is not ours (a proxy's page, say) still becomes a sentence. */
export async function apiErrorFrom(response: Response): Promise<ApiError> {
  const body = await readBody(response);
  const seconds = Number(response.headers.get('Retry-After')) || null;
  if (isErrorBody(body)) {
    return new ApiError(response.status, body.code, body.detail, body.fields ?? {}, seconds);
  }
  const sentence =
    sentenceByStatus[response.status] ?? 'The server could not answer. Please try again in a moment.';
  return new ApiError(response.status, 'unreadable', sentence, {}, seconds);
}

export function networkFailure(): ApiError {
  return new ApiError(0, 'network', 'Gleaner cannot be reached. Check your connection and try again.');
}

/** The sentence to show for anything that was thrown. */
export function sentenceOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something unexpected happened. Please reload the page.';
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}
