import type { Cookie } from '../api/types';

/** What was found in a pasted text: cookies, and how many were left out because they have expired. */
export interface ReadCookies {
  cookies: Cookie[];
  expired: number;
}

/** The text holds no cookies that could be read; the message says what is expected. */
export class CookieTextError extends Error {}

const mostCookies = 200;
const expectation =
  'Paste a cookies.txt (one cookie a line, fields separated by tabs) or the JSON that a cookie extension exports.';

type Raw = Record<string, unknown>;

function textOf(raw: Raw, ...names: string[]): string {
  const value = names.map((name) => raw[name]).find((each) => each !== undefined && each !== null);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Seconds since 1970; null for a cookie that lasts as long as a session, which the formats write as 0, -1 or nothing. */
function expiryOf(written: string | undefined): number | null {
  const seconds = Math.floor(Number(written));
  return seconds > 0 ? seconds : null;
}

function fromJson(raw: unknown): Cookie {
  const given: Raw = typeof raw === 'object' && raw !== null ? (raw as Raw) : {};
  const [name, domain] = [textOf(given, 'name', 'Name'), textOf(given, 'domain', 'host', 'Host')];
  if (!name || !domain) throw new CookieTextError(`A cookie needs a name and a domain. ${expectation}`);
  return {
    name,
    value: textOf(given, 'value', 'Value'),
    domain,
    path: textOf(given, 'path', 'Path') || '/',
    secure: given.secure === true || given.isSecure === true,
    expires: expiryOf(textOf(given, 'expirationDate', 'expires', 'expiry')),
  };
}

/** A list of cookies, or an object that holds one, as browsers' tools and Playwright write it. */
function readJson(text: string): Cookie[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new CookieTextError(`This JSON cannot be read: something is missing or too much. ${expectation}`);
  }
  const inner = Array.isArray(parsed) ? parsed : (parsed as Raw | null)?.cookies;
  if (!Array.isArray(inner)) throw new CookieTextError(`This JSON holds no list of cookies. ${expectation}`);
  return inner.map(fromJson);
}

/** Netscape's format: domain, whether subdomains too, path, secure, expiry, name, value. */
function readLine(line: string, at: number): Cookie {
  const fields = line.replace(/^#HttpOnly_/, '').split('\t');
  const [domain = '', subdomains, path, secure, expires, name = '', value = ''] = fields;
  if (fields.length < 6 || !domain || !name) {
    throw new CookieTextError(`Line ${at} is not a cookie. ${expectation}`);
  }
  const everywhere = subdomains === 'TRUE' && !domain.startsWith('.');
  return {
    name,
    value,
    domain: everywhere ? `.${domain}` : domain,
    path: path || '/',
    secure: secure === 'TRUE',
    expires: expiryOf(expires),
  };
}

function readLines(text: string): Cookie[] {
  return text
    .split(/\r?\n/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() && (!line.startsWith('#') || line.startsWith('#HttpOnly_')))
    .map(({ line, number }) => readLine(line, number));
}

/** Read what a person pasted; CookieTextError says what is wrong with it. `now` is in seconds. */
export function readCookies(text: string, now: number): ReadCookies {
  const trimmed = text.trim();
  const found = /^[[{]/.test(trimmed) ? readJson(trimmed) : readLines(text);
  if (!found.length) throw new CookieTextError(`There is no cookie in this text. ${expectation}`);
  const cookies = found.filter(({ expires }) => expires === null || expires > now);
  if (!cookies.length)
    throw new CookieTextError('All of these cookies have expired. Sign in again and export anew.');
  return { cookies, expired: found.length - cookies.length };
}

export function sameCookie(one: Cookie, other: Cookie): boolean {
  return one.name === other.name && one.domain === other.domain && one.path === other.path;
}

/** The cookies with others added; one that is there already is replaced. CookieTextError when they are too many. */
export function addCookies(known: Cookie[], more: Cookie[]): Cookie[] {
  const kept = known.filter((each) => !more.some((added) => sameCookie(each, added)));
  const last = more.filter((each, at) => !more.slice(at + 1).some((later) => sameCookie(each, later)));
  if (kept.length + last.length > mostCookies) {
    throw new CookieTextError(
      `There can be at most ${mostCookies} cookies. Paste only those of the websites that this crawler visits.`,
    );
  }
  return [...kept, ...last];
}
