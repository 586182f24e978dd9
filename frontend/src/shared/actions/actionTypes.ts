import type { ActionType } from '../../api/types';

interface ParameterKind {
  kind: 'selector' | 'text' | 'key' | 'seconds' | 'times' | 'direction' | 'flag';
  label: string;
  description?: string;
  optional?: boolean;
}

export type ParameterName =
  'selector' | 'text' | 'submit' | 'key' | 'option' | 'seconds' | 'times' | 'max_times' | 'direction';

export interface ActionKind {
  label: string;
  about: string;
  parameters: Partial<Record<ParameterName, ParameterKind>>;
}

const selector = (label: string): ParameterKind => ({
  kind: 'selector',
  label,
  description: 'XPath of the element.',
});
const secretHint = 'Write ${name of a secret} where a password belongs.';

/** What each action is called, what it does in plain words, and what it needs to know. */
export const actionKinds: Record<ActionType, ActionKind> = {
  dismiss_overlays: {
    label: 'Dismiss overlays',
    about: 'Closes cookie banners and pop-ups it recognises.',
    parameters: {},
  },
  click: {
    label: 'Click',
    about: 'Clicks an element; the chain stops when it is missing.',
    parameters: { selector: selector('What to click') },
  },
  click_if_present: {
    label: 'Click if present',
    about: 'Clicks an element when it is there, and goes on when it is not.',
    parameters: { selector: selector('What to click') },
  },
  type: {
    label: 'Type',
    about: 'Types a text into a field.',
    parameters: {
      selector: selector('Field to type into'),
      text: { kind: 'text', label: 'Text', description: secretHint },
      submit: { kind: 'flag', label: 'Press Enter afterwards', optional: true },
    },
  },
  press_key: {
    label: 'Press key',
    about: 'Presses one key, on the page or on an element.',
    parameters: {
      key: { kind: 'key', label: 'Key', description: 'One character, or a key such as Enter or PageDown.' },
      selector: { ...selector('On which element'), optional: true, description: 'Empty: on the page.' },
    },
  },
  select_option: {
    label: 'Select option',
    about: 'Chooses an entry of a drop-down list.',
    parameters: {
      selector: selector('Drop-down list'),
      option: { kind: 'text', label: 'Option', description: 'Its visible words.' },
    },
  },
  hover: {
    label: 'Hover',
    about: 'Moves the pointer over an element.',
    parameters: { selector: selector('Over what') },
  },
  wait: {
    label: 'Wait',
    about: 'Waits a fixed time.',
    parameters: { seconds: { kind: 'seconds', label: 'Seconds' } },
  },
  wait_for: {
    label: 'Wait for',
    about: 'Waits until an element appears.',
    parameters: { selector: selector('What to wait for') },
  },
  wait_for_text: {
    label: 'Wait for text',
    about: 'Waits until some words appear on the page.',
    parameters: { text: { kind: 'text', label: 'Words' } },
  },
  wait_until_gone: {
    label: 'Wait until gone',
    about: 'Waits until an element disappears, such as a spinner.',
    parameters: { selector: selector('What must disappear') },
  },
  scroll: {
    label: 'Scroll',
    about: 'Scrolls by screens.',
    parameters: {
      times: { kind: 'times', label: 'How many screens' },
      direction: { kind: 'direction', label: 'Direction' },
    },
  },
  scroll_to_end: {
    label: 'Scroll to the end',
    about: 'Scrolls until nothing new appears.',
    parameters: { max_times: { kind: 'times', label: 'At most how often' } },
  },
  load_more: {
    label: 'Load more',
    about: 'Clicks a “load more” button until it is gone or brings nothing new.',
    parameters: {
      selector: selector('The button'),
      max_times: { kind: 'times', label: 'At most how often' },
    },
  },
};

export const actionTypes = Object.keys(actionKinds) as ActionType[];

export const keyNames = [
  ...['Enter', 'Tab', 'Escape', 'Space', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
];

export function parametersOf(type: ActionType): [ParameterName, ParameterKind][] {
  return Object.entries(actionKinds[type].parameters) as [ParameterName, ParameterKind][];
}

/** What an action is called; a type that only the server knows, by its own name. */
export function actionLabel(type: string): string {
  return type in actionKinds ? actionKinds[type as ActionType].label : type.replaceAll('_', ' ');
}
