import { expect, test } from 'vitest';
import type { Crawler } from '../api/types';
import { sampleCrawler } from '../testing/samples';
import { crawlerPayload, crawlerValues, emptyCrawler } from './crawlerForm';

const signingIn: Crawler['login'] = {
  url: 'https://shop.example.org/login',
  actions: [
    { type: 'type', selector: '//input[1]', text: '${login Shop 1}', submit: false },
    { type: 'click', selector: '//button', optional: false, timeout_seconds: 5 },
  ],
  logged_out: "//form[@id='login']",
};

test('a stored crawler goes through the form unchanged', () => {
  const cookies = [
    { name: 'sid', value: '${cookie a sid}', domain: 'a.example', path: '/', secure: true, expires: null },
  ];
  const crawler = sampleCrawler({ cookies });
  const { id, template_name, runner_count, created_at, updated_at, ...writable } = crawler;
  expect(crawlerPayload(crawlerValues(crawler), crawler.project)).toEqual(writable);
  expect([id, template_name, runner_count, created_at, updated_at]).toHaveLength(5);
});

test('a stored login keeps its steps, secrets by their names', () => {
  const crawler = sampleCrawler({ login: signingIn });
  const { login } = crawlerPayload(crawlerValues(crawler), 7);
  expect(login).toMatchObject({ url: signingIn.url, logged_out: signingIn.logged_out });
  expect(login?.actions).toEqual([
    {
      type: 'type',
      selector: '//input[1]',
      text: '${login Shop 1}',
      submit: false,
      optional: false,
      timeout_seconds: 10,
    },
    { type: 'click', selector: '//button', optional: false, timeout_seconds: 5 },
  ]);
});

test('a login that is switched off is sent as none', () => {
  const values = crawlerValues(sampleCrawler({ login: signingIn }));
  const off = { ...values, login: { ...values.login, wanted: false } };
  expect(crawlerPayload(off, 7).login).toEqual({ url: '', actions: [], logged_out: '' });
});

test('a new crawler needs a name, a template and a seed; the rest is prefilled', () => {
  const values = { ...emptyCrawler('3'), name: ' Shop ', seeds: ' https://shop.example.org/ \n\n' };
  expect(crawlerPayload(values, 7)).toMatchObject({
    project: 7,
    name: 'Shop',
    template: 3,
    seeds: ['https://shop.example.org/'],
    same_site: 'host',
    respect_robots: true,
    sleep_ms: 500,
    threads: 8,
    max_pages: null,
  });
});

test('an emptied limit is no limit, a limit of zero is kept, an emptied number is the server’s', () => {
  const payload = crawlerPayload({ ...emptyCrawler('3'), max_pages: '', max_depth: 0, threads: '' }, 7);
  expect(payload).toMatchObject({ max_pages: null, max_depth: 0 });
  expect(payload).not.toHaveProperty('threads');
});

test('headers without a name are unfinished and left out', () => {
  const headers = [
    { name: 'Accept', value: 'text/html' },
    { name: ' ', value: 'lost' },
  ];
  expect(crawlerPayload({ ...emptyCrawler('3'), headers }, 7).headers).toEqual({ Accept: 'text/html' });
});
