import { Autocomplete, Button, Group, Text, type ComboboxItem } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { $api } from '../api/client';
import { SearchIcon } from '../shared/pictures/icons';
import classes from './search.module.css';

const suggestionsShown = 8;

/** What to offer for a text that is being typed: the query, and the name of which it is a synonym. */
function useSuggestions(indexer: number, typed: string, safe: boolean | undefined, isWanted: boolean) {
  const [text] = useDebouncedValue(typed.trim(), 120);
  const params = { path: { id: indexer }, query: { q: text.slice(0, 200), limit: suggestionsShown, safe } };
  const { data } = $api.useQuery(
    'get',
    '/api/v1/indexers/{id}/suggest',
    { params },
    {
      enabled: isWanted && text !== '' && typed.trim() !== '',
      placeholderData: keepPreviousData,
      retry: false,
      staleTime: 60_000,
    },
  );
  const offered = typed.trim() ? (data?.suggestions ?? []) : [];
  return offered.filter(({ text: name }, at) => offered.findIndex((other) => other.text === name) === at);
}

function sayMatched(text: string, matched: string | undefined): string | null {
  return matched && matched.toLowerCase() !== text.toLowerCase() ? matched : null;
}

interface SearchBarProps {
  indexer: number;
  /** What was searched for last. */
  q: string;
  placeholder: string;
  /** Leave out what only unsafe documents have, or offer it; absent: as the indexer says. */
  safe?: boolean;
  onSearch: (q: string) => void;
}

/** The search box: suggestions while typing, Enter searches, “/” leads here from anywhere on the page. */
export function SearchBar({ indexer, q, placeholder, safe, onSearch }: SearchBarProps) {
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(q);
  const [isTyping, setTyping] = useState(false);
  const [shown, setShown] = useState(q);
  if (shown !== q) {
    setShown(q);
    setTyped(q);
  }
  useHotkeys([['/', () => box.current?.focus()]]);
  const suggestions = useSuggestions(indexer, typed, safe, isTyping);
  const search = (text: string) => {
    setTyping(false);
    setTyped(text);
    onSearch(text.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(typed);
  };
  const renderOption = ({ option }: { option: ComboboxItem }) => {
    const synonym = sayMatched(option.value, suggestions.find(({ text }) => text === option.value)?.matched);
    return (
      <Group gap={8} wrap="nowrap">
        <SearchIcon size={15} />
        <span>
          {option.value}
          {synonym && (
            <Text component="span" c="dimmed" fz="sm">
              {' '}
              (also called {synonym})
            </Text>
          )}
        </span>
      </Group>
    );
  };
  return (
    <form role="search" onSubmit={submit} className={classes.bar}>
      <Autocomplete
        ref={box}
        flex={1}
        size="lg"
        radius="xl"
        enterKeyHint="search"
        aria-label="Search"
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        leftSection={<SearchIcon size={20} />}
        value={typed}
        data={isTyping ? suggestions.map(({ text }) => text) : []}
        filter={({ options }) => options}
        renderOption={renderOption as never}
        maxDropdownHeight={400}
        comboboxProps={{ shadow: 'md', radius: 'lg' }}
        onChange={(text) => {
          setTyped(text);
          setTyping(true);
        }}
        onOptionSubmit={search}
      />
      <Button type="submit" size="lg" radius="xl">
        Search
      </Button>
    </form>
  );
}
