import { Anchor, Group, Image, Text } from '@mantine/core';
import type { Document } from '../api/types';

const mostColumns = 6;
const mostAddresses = 3;

/** The fields that documents have, in the order they first appear; no more than fit a table. */
export function fieldsOf(documents: Document[]): string[] {
  return [...new Set(documents.flatMap(({ values }) => Object.keys(values)))].slice(0, mostColumns);
}

function isAddress(value: string): boolean {
  return /^https?:\/\/\S+$/.test(value);
}

function isPicture(value: string): boolean {
  return /\.(png|jpe?g|gif|webp|avif|svg)(\?\S*)?$/i.test(value);
}

const nothing = '–';

/** Anything an inspector can yield, as short text. */
export function sayValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return nothing;
  if (Array.isArray(value)) return value.map(sayValue).join(', ');
  if (typeof value === 'object') return Object.values(value).map(sayValue).join(' ');
  return String(value);
}

/** What a document is called in a list: by its first field, where it has a value there. */
export function nameOf({ id, values }: Document, field: string | undefined): string {
  const said = field === undefined ? nothing : sayValue(values[field]);
  return said === nothing ? `Document ${id}` : said;
}

interface ValueProps {
  value: unknown;
  name: string;
  /** Where nothing else shows the rest: all of it, however long. */
  isWhole?: boolean;
}

/** One value of a document: pictures as pictures, links as links, the rest as text. */
export function Value({ value, name, isWhole = false }: ValueProps) {
  if (Array.isArray(value) && value.some((one) => typeof one === 'string' && isAddress(one)))
    return (
      <Group gap="xs">
        {(isWhole ? value : value.slice(0, mostAddresses)).map((one, at) => (
          <Value key={at} value={one} name={name} isWhole={isWhole} />
        ))}
      </Group>
    );
  if (typeof value === 'string' && isAddress(value)) {
    if (isPicture(value))
      return (
        <Image
          src={value}
          alt={name}
          h={44}
          w={44}
          fit="cover"
          radius="sm"
          loading="lazy"
          referrerPolicy="no-referrer"
        />
      );
    return (
      <Anchor
        href={value}
        target="_blank"
        rel="noreferrer"
        fz="sm"
        lineClamp={isWhole ? undefined : 1}
        style={{ overflowWrap: 'anywhere' }}
      >
        {value}
      </Anchor>
    );
  }
  return (
    <Text
      size="sm"
      lineClamp={isWhole ? undefined : 2}
      style={isWhole ? { overflowWrap: 'anywhere', whiteSpace: 'pre-line' } : undefined}
    >
      {sayValue(value)}
    </Text>
  );
}
