import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Value } from './values';

function show(value: unknown, isWhole: boolean) {
  return render(
    <MantineProvider>
      <Value value={value} name="photo" isWhole={isWhole} />
    </MantineProvider>,
  );
}

test.each([
  [true, ''],
  [false, 'true'],
])('a long text is whole where a document is looked at (%s), and cut in a list', (isWhole, cut) => {
  show('word '.repeat(200).trim(), isWhole);
  expect(screen.getByText(/^word word/).dataset.lineClamp ?? '').toBe(cut);
});

test('several pictures are pictures, several links are links', () => {
  show(['https://shop.example/1.jpg', 'https://shop.example/2.png', 'https://shop.example/manual'], false);
  expect(screen.getAllByRole('img', { name: 'photo' })).toHaveLength(2);
  expect(screen.getByRole('link')).toHaveAttribute('href', 'https://shop.example/manual');
});

test('a list shows the first of many addresses, a document all', () => {
  const many = Array.from({ length: 9 }, (_, at) => `https://shop.example/${at}.jpg`);
  const { unmount } = show(many, false);
  expect(screen.getAllByRole('img')).toHaveLength(3);
  unmount();
  show(many, true);
  expect(screen.getAllByRole('img')).toHaveLength(9);
});
