import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';

/** True when the text only names a secret that is kept elsewhere, and so is none itself. */
export function namesSecret(text: unknown): boolean {
  return typeof text === 'string' && /\$\{[^}]+\}/.test(text);
}

/** A text that becomes a secret when it is saved: dots while it is typed, the name of the secret afterwards. */
export function SecretTextInput(props: PasswordInputProps) {
  const [isShown, { toggle }] = useDisclosure(false);
  const isName = namesSecret(props.value);
  return (
    <PasswordInput
      autoComplete="new-password"
      spellCheck={false}
      {...props}
      description={
        isName
          ? 'Kept as a secret and never shown again. Type over it to change it.'
          : 'Becomes a secret when you save: encrypted, and never shown again.'
      }
      visible={isName || isShown}
      onVisibilityChange={toggle}
      visibilityToggleButtonProps={{ 'aria-label': isShown ? 'Hide the text' : 'Show the text' }}
    />
  );
}
