import { TextInput, type TextInputProps } from '@mantine/core';

/** One line of something a machine reads: an XPath, a pattern, a formula. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      {...props}
    />
  );
}
