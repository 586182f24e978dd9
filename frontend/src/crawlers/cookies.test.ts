import { describe, expect, test } from 'vitest';
import type { Cookie } from '../api/types';
import { addCookies, CookieTextError, readCookies } from './cookies';

const now = 1_800_000_000;

function sample(changes: Partial<Cookie> = {}): Cookie {
  return {
    name: 'sid',
    value: '1',
    domain: 'a.example',
    path: '/',
    secure: false,
    expires: null,
    ...changes,
  };
}

describe('readCookies', () => {
  test('reads a cookies.txt, also cookies that scripts may not see', () => {
    const text = [
      '# Netscape HTTP Cookie File',
      '',
      'a.example\tFALSE\t/shop\tTRUE\t1900000000\tsid\tx=y',
      '#HttpOnly_.b.example\tTRUE\t/\tFALSE\t0\ttoken\t',
    ].join('\r\n');
    expect(readCookies(text, now)).toEqual({
      cookies: [
        {
          name: 'sid',
          value: 'x=y',
          domain: 'a.example',
          path: '/shop',
          secure: true,
          expires: 1_900_000_000,
        },
        { name: 'token', value: '', domain: '.b.example', path: '/', secure: false, expires: null },
      ],
      expired: 0,
    });
  });

  test('a domain that counts for subdomains gets its dot', () => {
    expect(readCookies('a.example\tTRUE\t/\tFALSE\t0\tsid\t1', now).cookies[0]?.domain).toBe('.a.example');
  });

  test.each([
    ['an extension', [{ name: 'sid', value: '1', domain: 'a.example', hostOnly: true, session: true }]],
    ['Playwright', { cookies: [{ name: 'sid', value: '1', domain: 'a.example', path: '/', expires: -1 }] }],
  ])('reads the JSON of %s', (_, exported) => {
    expect(readCookies(JSON.stringify(exported), now).cookies).toEqual([sample()]);
  });

  test('leaves out what has expired, and says how many', () => {
    const text = `a.example\tFALSE\t/\tFALSE\t${now - 1}\told\t1\na.example\tFALSE\t/\tFALSE\t${now + 1}\tsid\t1`;
    expect(readCookies(text, now)).toEqual({ cookies: [sample({ expires: now + 1 })], expired: 1 });
  });

  test.each([
    ['a header', 'sid=1; b=2', /^Line 1 is not a cookie/],
    ['broken JSON', '[{"name": ', /cannot be read/],
    ['other JSON', '{"name": "sid"}', /holds no list of cookies/],
    ['a cookie without a domain', '[{"name": "sid", "value": "1"}]', /needs a name and a domain/],
    ['a list of nonsense', '[1, null]', /needs a name and a domain/],
    ['only comments', '# nothing', /no cookie in this text/],
    ['only old ones', `a.example\tFALSE\t/\tFALSE\t5\tsid\t1`, /have expired/],
  ])('refuses %s with a sentence', (_, text, sentence) => {
    expect(() => readCookies(text, now)).toThrow(CookieTextError);
    expect(() => readCookies(text, now)).toThrow(sentence);
  });
});

describe('addCookies', () => {
  test('replaces a cookie of the same name, domain and path', () => {
    const other = sample({ path: '/shop' });
    expect(addCookies([sample(), other], [sample({ value: '2' })])).toEqual([other, sample({ value: '2' })]);
  });

  test('of two equal ones in a text the later counts', () => {
    expect(addCookies([], [sample(), sample({ value: '2' })])).toEqual([sample({ value: '2' })]);
  });

  test('refuses more than the server takes', () => {
    const many = Array.from({ length: 201 }, (_, at) => sample({ name: `c${at}` }));
    expect(() => addCookies([], many)).toThrow(/at most 200/);
  });
});
