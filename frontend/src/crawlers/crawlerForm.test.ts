import { expect, test } from 'vitest';
import { sampleCrawler } from '../testing/samples';
import { crawlerPayload, crawlerValues, emptyCrawler } from './crawlerForm';

test('a stored crawler goes through the form unchanged; what the form does not show is left alone', () => {
  const crawler = sampleCrawler();
  const { id, template_name, runner_count, created_at, updated_at, login, cookies, ...writable } = crawler;
  expect(crawlerPayload(crawlerValues(crawler), crawler.project)).toEqual(writable);
  expect([id, template_name, runner_count, created_at, updated_at, login, cookies]).toHaveLength(7);
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
