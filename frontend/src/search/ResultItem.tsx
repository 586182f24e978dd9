import { Anchor, Button, Group, Image, Text, Title } from '@mantine/core';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ResultColumn, SearchResult } from '../api/types';
import { LinkButton } from '../shared/LinkButton';
import { sayCount } from '../shared/numbers';
import { Pieces } from './Pieces';
import classes from './search.module.css';
import { addressesIn, pictureOf, sayAddress, sayColumnValue, shownOf } from './values';

/** A value of a column beside the text of a result: links as links, matches marked. */
export function ColumnValue({ column, result }: { column: ResultColumn; result: SearchResult }) {
  const value = result.fields[column.name];
  if (column.kind === 'link') {
    return addressesIn(value).map((address) => (
      <Anchor key={address} href={address} target="_blank" rel="noreferrer" fz="inherit">
        {sayAddress(address)}
      </Anchor>
    ));
  }
  const highlighted = result.highlights[column.name];
  return highlighted ? <Pieces pieces={highlighted} /> : sayColumnValue(column, value);
}

function Facts({ result, facts }: { result: SearchResult; facts: ResultColumn[] }) {
  if (!facts.length) return null;
  return (
    <dl className={classes.facts}>
      {facts.map((column) => (
        <div key={column.name}>
          <dt>{column.name}</dt>
          <dd>
            <ColumnValue column={column} result={result} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Prices({ result, columns }: { result: SearchResult; columns: ResultColumn[] }) {
  const prices = columns
    .filter(({ kind }) => kind === 'price')
    .map((column) => ({ name: column.name, text: sayColumnValue(column, result.fields[column.name]) }))
    .filter(({ text }) => text !== '');
  if (!prices.length) return null;
  return (
    <div className={classes.prices}>
      {prices.map(({ name, text }) => (
        <div key={name}>
          <span className={classes.price}>{text}</span>
          {prices.length > 1 && <span className={classes.priceName}>{name}</span>}
        </div>
      ))}
    </div>
  );
}

export interface ResultActions {
  explainResult: (result: SearchResult) => void;
  showSimilar: (result: SearchResult) => void;
  /** Where the way of a page into the index is told; absent for visitors. */
  traceLink?: (result: SearchResult) => LinkProps | undefined;
  showDuplicates?: () => void;
}

interface ResultItemProps {
  result: SearchResult;
  columns: ResultColumn[];
  actions: ResultActions;
  /** What stands above the title, such as buttons to judge it. */
  judging?: ReactNode;
}

function ItemActions({ result, actions }: Pick<ResultItemProps, 'result' | 'actions'>) {
  const name = result.title.map(({ text }) => text).join('');
  const trace = actions.traceLink?.(result);
  return (
    <Group gap={0} mt={6} ml={-8} className={classes.actions}>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={`Why this rank: ${name}`}
        onClick={() => actions.explainResult(result)}
      >
        Why this rank
      </Button>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={`Similar to ${name}`}
        onClick={() => actions.showSimilar(result)}
      >
        Similar
      </Button>
      {trace && (
        <LinkButton variant="subtle" size="compact-xs" aria-label={`Why is it here: ${name}`} link={trace}>
          Why is it here
        </LinkButton>
      )}
      {result.duplicates > 0 && (
        <Button variant="subtle" size="compact-xs" color="gray" onClick={actions.showDuplicates}>
          {sayCount(result.duplicates, 'nearly equal result')} hidden
        </Button>
      )}
    </Group>
  );
}

/** One result: picture, title as the way to its page, where the words are, its values. */
export function ResultItem({ result, columns, actions, judging }: ResultItemProps) {
  const picture = pictureOf(result, columns);
  const { passage, facts } = shownOf(result, columns);
  return (
    <li className={classes.result}>
      {picture && (
        <Image
          src={picture}
          alt=""
          className={classes.picture}
          fit="contain"
          loading="lazy"
          referrerPolicy="no-referrer"
        />
      )}
      <div className={classes.body}>
        {judging}
        <Title order={2} className={classes.title}>
          <Anchor href={result.url} target="_blank" rel="noreferrer" inherit>
            <Pieces pieces={result.title} />
          </Anchor>
        </Title>
        <Text className={classes.address} title={result.url}>
          {sayAddress(result.url)}
        </Text>
        {passage.length > 0 && (
          <Text className={classes.snippet}>
            <Pieces pieces={passage} />
          </Text>
        )}
        <Facts result={result} facts={facts} />
        <ItemActions result={result} actions={actions} />
      </div>
      <Prices result={result} columns={columns} />
    </li>
  );
}
