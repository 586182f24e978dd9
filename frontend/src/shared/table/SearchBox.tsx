import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { SearchIcon } from '../pictures/icons';

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/** Searches a moment after the last key. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const search = useDebouncedCallback(onSearch, 250);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<SearchIcon size={16} />}
      value={text}
      flex="1 1 220px"
      maw={360}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        search(currentTarget.value.trim());
      }}
    />
  );
}
