import type { UserEvent } from '@testing-library/user-event';

/** Put a text into a control in one go: what matters is what arrives, not each key. */
export async function fill(user: UserEvent, control: Element, text: string): Promise<void> {
  await user.click(control);
  await user.paste(text);
}
