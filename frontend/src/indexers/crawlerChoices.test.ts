import { expect, test } from 'vitest';
import { sampleCrawler } from '../testing/samples';
import { crawlerChoices } from './crawlerChoices';
import { newColumn } from './indexerForm';

const crawlers = [
  sampleCrawler({ id: 1, name: 'Shop', template_name: 'Product' }),
  sampleCrawler({ id: 2, name: 'Outlet', template_name: 'Product' }),
  sampleCrawler({ id: 3, name: 'Laden', template_name: 'Artikel' }),
  sampleCrawler({ id: 4, name: 'Blog', template_name: 'Product.old' }),
];
const columns = [{ ...newColumn(), sources: ['Product.title'] }];

const names = (chosen: string[], of = columns) =>
  crawlerChoices(crawlers, of, chosen).map(({ group, items }) => [group, items.map(({ label }) => label)]);

test('crawlers are offered whose template fills a column', () => {
  expect(names([])).toEqual([['Product', ['Shop', 'Outlet']]]);
});

test('one that is chosen stays to be taken out', () => {
  expect(names(['3'])).toEqual([
    ['Product', ['Shop', 'Outlet']],
    ['Artikel', ['Laden']],
  ]);
});

test('without columns every crawler fits', () => {
  expect(names([], []).length).toBe(3);
});
