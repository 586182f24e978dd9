import { Textarea, type TextareaProps } from '@mantine/core';

/** A list as text, one entry per line: quick to type, easy to paste into. */
export function LinesInput(props: TextareaProps) {
  return (
    <Textarea
      spellCheck={false}
      autoCapitalize="off"
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      {...props}
    />
  );
}
