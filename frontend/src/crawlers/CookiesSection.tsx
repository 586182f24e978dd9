import { ActionIcon, Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { Cookie } from '../api/types';
import { namesSecret } from '../shared/actions/SecretTextInput';
import { FormSection } from '../shared/forms/FormSection';
import { LinesInput } from '../shared/forms/LinesInput';
import { sayCount } from '../shared/numbers';
import { TrashIcon } from '../shared/pictures/icons';
import tables from '../shared/table/DataTable.module.css';
import { addCookies, CookieTextError, readCookies } from './cookies';
import type { CrawlerValues } from './crawlerForm';

interface CookiesSectionProps {
  form: UseFormReturnType<CrawlerValues>;
  readOnly: boolean;
}

function sayAdded(count: number, expired: number): string {
  const left = expired
    ? ` ${sayCount(expired, 'cookie')} had expired and ${expired === 1 ? 'was' : 'were'} left out.`
    : '';
  return `${sayCount(count, 'cookie')} added; save to keep ${count === 1 ? 'it' : 'them'}.${left}`;
}

/** A box to paste cookies into; they leave it at once, so that no value stays on the screen. */
function ImportCookies({ known, onImport }: { known: Cookie[]; onImport: (cookies: Cookie[]) => void }) {
  const [text, setText] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  const [told, setTold] = useState('');
  const importCookies = () => {
    try {
      const { cookies, expired } = readCookies(text, Date.now() / 1000);
      onImport(addCookies(known, cookies));
      setTold(sayAdded(cookies.length, expired));
      setText('');
      setTrouble(null);
    } catch (error) {
      if (!(error instanceof CookieTextError)) throw error;
      setTrouble(error.message);
    }
  };
  return (
    <Stack gap="xs">
      <LinesInput
        label="Paste cookies"
        description="A cookies.txt, or the JSON that a cookie extension exports."
        autoComplete="off"
        value={text}
        error={trouble}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group gap="sm">
        <Button variant="light" disabled={!text.trim()} onClick={importCookies}>
          Add cookies
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {told}
        </Text>
      </Group>
    </Stack>
  );
}

interface CookieRowProps {
  cookie: Cookie;
  trouble: string;
  onRemove: (() => void) | null;
}

function CookieRow({ cookie, trouble, onRemove }: CookieRowProps) {
  const isKept = namesSecret(cookie.value);
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text fz="sm" fw={600}>
          {cookie.name}
        </Text>
        <Text fz="xs" c="dimmed" hiddenFrom="sm">
          {cookie.domain}
          {cookie.path !== '/' && cookie.path}
        </Text>
        {trouble && (
          <Text fz="xs" c="var(--mantine-color-error)" role="alert">
            {trouble}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
        {cookie.domain}
        {cookie.path !== '/' && cookie.path}
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={isKept ? 'gray' : 'wheat'} tt="none">
          {isKept ? 'Secret' : cookie.value ? 'Not saved yet' : 'Empty'}
        </Badge>
      </Table.Td>
      {onRemove && (
        <Table.Td ta="right">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove the cookie ${cookie.name} of ${cookie.domain}`}
            onClick={onRemove}
          >
            <TrashIcon />
          </ActionIcon>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function troublesOf(errors: Record<string, unknown>, path: string): string {
  const below = Object.keys(errors).filter((key) => key === path || key.startsWith(`${path}.`));
  return below.map((key) => String(errors[key])).join(' ');
}

/** Cookies of a person's browser that the crawler brings along. Values go in and never come out. */
export function CookiesSection({ form, readOnly }: CookiesSectionProps) {
  const { cookies } = form.values;
  return (
    <FormSection
      title="Cookies"
      description="Where signing in by steps is not possible (a captcha, a second factor), sign in with your own browser and bring its cookies. They work in every lane, until the website ends the session."
    >
      {form.errors.cookies && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {form.errors.cookies}
        </Text>
      )}
      {cookies.length > 0 ? (
        <Table aria-label="Cookies" className={tables.table} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th visibleFrom="sm">Website</Table.Th>
              <Table.Th>Value</Table.Th>
              {!readOnly && <Table.Th aria-label="Remove" />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cookies.map((cookie, at) => (
              <CookieRow
                key={`${cookie.domain} ${cookie.path} ${cookie.name}`}
                cookie={cookie}
                trouble={troublesOf(form.errors, `cookies.${at}`)}
                onRemove={readOnly ? null : () => form.removeListItem('cookies', at)}
              />
            ))}
          </Table.Tbody>
        </Table>
      ) : (
        <Text size="sm" c="dimmed">
          None: the crawler comes as a stranger.
        </Text>
      )}
      {!readOnly && <ImportCookies known={cookies} onImport={(all) => form.setFieldValue('cookies', all)} />}
    </FormSection>
  );
}
