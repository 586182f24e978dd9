import { Button, Checkbox, Group, NumberInput, Radio, Stack, Text, Title } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { SearchAnswer } from '../api/types';
import { sayNumber } from '../shared/numbers';
import { rangesOf, sayRange, type FacetWish } from './facets';
import classes from './search.module.css';
import { readRange, withChoice, withValueToggled, writeRange, type SearchState } from './searchState';
import { currencyOf, sayMoney } from './values';

type Facet = SearchAnswer['facets'][number];

interface FacetProps {
  wish: FacetWish;
  facet: Facet;
  state: SearchState;
  change: (next: SearchState) => void;
}

function Count({ count }: { count: number }) {
  return (
    <Text component="span" size="xs" c="dimmed" className={classes.count}>
      {sayNumber(count)}
    </Text>
  );
}

/** Values to tick; several of one field mean any of them. */
function ValueChoices({ wish, facet, state, change }: FacetProps) {
  const chosen = state.facets?.[wish.field] ?? [];
  const missing = chosen.filter((value) => !facet.values.some((each) => each.value === value));
  const rows = [...facet.values, ...missing.map((value) => ({ value, count: 0 }))];
  return (
    <Stack gap={6}>
      {rows.map(({ value, count }) => (
        <Checkbox
          key={value}
          size="xs"
          checked={chosen.includes(value)}
          onChange={() => change(withValueToggled(state, wish.field, value))}
          classNames={{ body: classes.choice, labelWrapper: classes.choiceLabel }}
          label={
            <span className={classes.choiceText}>
              <span>{value}</span> <Count count={count} />
            </span>
          }
        />
      ))}
    </Stack>
  );
}

/** From … to …, for what the offered ranges do not say. */
function OwnRange({ wish, state, change }: Omit<FacetProps, 'facet'>) {
  const range = readRange(state.facets?.[wish.field]?.[0] ?? '');
  const isOwn = range?.withHigh ?? false;
  const [low, setLow] = useState<number | string>(isOwn ? (range?.low ?? '') : '');
  const [high, setHigh] = useState<number | string>(isOwn ? (range?.high ?? '') : '');
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (low === '' && high === '') return change(withChoice(state, wish.field, []));
    const wanted = { low: low === '' ? null : String(low), high: high === '' ? null : String(high) };
    change(withChoice(state, wish.field, [writeRange({ ...wanted, withHigh: true })]));
  };
  return (
    <Group component="form" gap={6} wrap="nowrap" mt={8} onSubmit={apply as never}>
      <NumberInput
        size="xs"
        placeholder="from"
        aria-label={`${wish.label} from`}
        value={low}
        onChange={setLow}
      />
      <NumberInput
        size="xs"
        placeholder="to"
        aria-label={`${wish.label} to`}
        value={high}
        onChange={setHigh}
      />
      <Button
        type="submit"
        size="xs"
        variant="default"
        px={8}
        style={{ flexShrink: 0 }}
        aria-label={`Apply ${wish.label} from and to`}
      >
        Go
      </Button>
    </Group>
  );
}

function RangeChoices({ wish, facet, state, change, currency }: FacetProps & { currency: string | null }) {
  const [chosen] = state.facets?.[wish.field] ?? [];
  const now = new Date();
  const say = (value: number) => (currency ? sayMoney(value, currency) : value.toLocaleString());
  const offered = rangesOf(wish, facet.ranges).map(({ low, high, count }) => ({
    value: writeRange({ low, high, withHigh: false }),
    label: sayRange(wish, { low, high }, say, now),
    count: count as number | null,
  }));
  const own = chosen ? readRange(chosen) : null;
  const rows =
    own && !offered.some(({ value }) => value === chosen)
      ? [
          ...offered,
          {
            value: chosen as string,
            label: sayRange(wish, { low: own.low ?? '', high: own.high ?? '' }, say, now),
            count: null,
          },
        ]
      : offered;
  return (
    <>
      <Radio.Group
        value={chosen ?? ''}
        onChange={(value) => change(withChoice(state, wish.field, value ? [value] : []))}
        aria-label={wish.label}
      >
        <Stack gap={6}>
          {chosen && <Radio size="xs" value="" label="Any" />}
          {rows.map(({ value, label, count }) => (
            <Radio
              key={value}
              size="xs"
              value={value}
              classNames={{ body: classes.choice, labelWrapper: classes.choiceLabel }}
              label={
                <span className={classes.choiceText}>
                  <span>{label}</span> {count !== null && <Count count={count} />}
                </span>
              }
            />
          ))}
        </Stack>
      </Radio.Group>
      {wish.kind !== 'date' && <OwnRange key={chosen ?? ''} wish={wish} state={state} change={change} />}
    </>
  );
}

/** A facet is worth showing when it groups documents, or something is chosen: names that all differ group nothing. */
function isUseful(wish: FacetWish, facet: Facet, state: SearchState): boolean {
  if (state.facets?.[wish.field]) return true;
  if (wish.edges) return rangesOf(wish, facet.ranges).length > 1;
  return facet.values.length > 1 && facet.values.some(({ count }) => count > 1);
}

interface ShownFacet {
  wish: FacetWish;
  facet: Facet;
}

/** The facets of an answer that are worth showing. */
export function usefulFacets(wishes: FacetWish[], answer: SearchAnswer, state: SearchState): ShownFacet[] {
  return wishes.flatMap((wish) => {
    const facet = answer.facets.find(({ field }) => field === wish.field);
    return facet && isUseful(wish, facet, state) ? [{ wish, facet }] : [];
  });
}

interface FacetPanelProps {
  facets: ShownFacet[];
  answer: SearchAnswer;
  state: SearchState;
  change: (next: SearchState) => void;
}

/** Everything the result can be narrowed down by, with how many documents each choice leaves. */
export function FacetPanel({ facets, answer, state, change }: FacetPanelProps) {
  return (
    <Stack gap="lg">
      {facets.map(({ wish, facet }) => (
        <section key={wish.field} aria-label={wish.label} className={classes.facet}>
          <Title order={2} size="h4" mb={8}>
            {wish.label}
          </Title>
          {wish.edges ? (
            <RangeChoices
              {...{ wish, facet, state, change }}
              currency={currencyOf(answer.results, wish.field)}
            />
          ) : (
            <ValueChoices {...{ wish, facet, state, change }} />
          )}
        </section>
      ))}
      {state.facets && (
        <Button
          variant="default"
          size="xs"
          onClick={() => change({ ...state, facets: undefined, page: undefined })}
        >
          Remove every filter
        </Button>
      )}
    </Stack>
  );
}
