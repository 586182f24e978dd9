import { createTheme, rem, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Field green: the product's own colour. Shade 7 on white and white on shade 8 both pass WCAG AA. */
const fern: MantineColorsTuple = [
  '#eef6f1',
  '#dcebe2',
  '#b8d7c6',
  '#8fc1a7',
  '#6aae8c',
  '#4f9d78',
  '#378a64',
  '#1f6b4d',
  '#1c5b44',
  '#124331',
];

/** Ripe wheat: accents and illustrations, never text on white. */
const wheat: MantineColorsTuple = [
  '#fdf8ea',
  '#f9eecf',
  '#f2dca0',
  '#eac96e',
  '#e3b947',
  '#d8a52c',
  '#b9871b',
  '#8a6210',
  '#71500c',
  '#573d08',
];

/** Neutrals with a trace of green, so that grey never looks like somebody else's grey. */
const gray: MantineColorsTuple = [
  '#f7f8f6',
  '#eff1ee',
  '#e5e8e4',
  '#d9ddd8',
  '#c3c9c3',
  '#a2aaa4',
  '#7d8680',
  '#59625c',
  '#3b433e',
  '#232a26',
];

const dark: MantineColorsTuple = [
  '#dbe1dd',
  '#b5beb8',
  '#8f9a94',
  '#67726c',
  '#3e4843',
  '#303935',
  '#232b28',
  '#191f1d',
  '#131816',
  '#0d110f',
];

const fontFamily =
  "Inter, 'Segoe UI Variable Text', 'Segoe UI', -apple-system, Roboto, 'Noto Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif";

export const theme = createTheme({
  primaryColor: 'fern',
  primaryShade: { light: 7, dark: 8 },
  colors: { fern, wheat, gray, dark },
  fontFamily,
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: {
    fontFamily,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: rem(26), lineHeight: '1.25' },
      h2: { fontSize: rem(18), lineHeight: '1.35' },
      h3: { fontSize: rem(15.5), lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Paper: { defaultProps: { radius: 'lg' } },
    Modal: {
      defaultProps: { radius: 'lg', centered: true, overlayProps: { backgroundOpacity: 0.45, blur: 2 } },
    },
    Tooltip: {
      defaultProps: { openDelay: 350, withArrow: true, events: { hover: true, focus: true, touch: false } },
    },
    Menu: { defaultProps: { shadow: 'md', radius: 'md', withInitialFocusPlaceholder: false } },
    Tabs: { defaultProps: { color: 'fern.5' } },
    Select: {
      defaultProps: {
        checkIconPosition: 'right',
        allowDeselect: false,
        // Mantine hides it from all but the mouse.
        clearButtonProps: { tabIndex: 0, 'aria-hidden': undefined, 'aria-label': 'Clear the choice' },
      },
    },
    NumberInput: { defaultProps: { hideControls: true } },
    Textarea: { classNames: { input: 'gl-growing' } },
  },
});

/** Mantine's light variant is nearly black on a dark surface; these stay visible. */
const softBadges = {
  '--mantine-color-fern-light': 'rgb(79 157 120 / 20%)',
  '--mantine-color-fern-light-color': 'var(--mantine-color-fern-2)',
  '--mantine-color-wheat-light': 'rgb(216 165 44 / 18%)',
  '--mantine-color-wheat-light-color': 'var(--mantine-color-wheat-3)',
  '--mantine-color-gray-light': 'rgb(255 255 255 / 8%)',
  '--mantine-color-gray-light-color': 'var(--mantine-color-dark-0)',
};

/** Names of our own for the few surfaces Mantine has none for, and Mantine's dimmed text with enough contrast. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--gl-sidebar-width': rem(256) },
  light: {
    '--mantine-color-text': '#1b211e',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--gl-hover': 'rgb(0 0 0 / 4%)',
    '--gl-active': '#dfe9e1',
    '--gl-error-soft': '#fdf1f0',
    '--gl-warning-soft': '#fdf8ea',
    '--gl-canvas': '#f7f6f1',
    '--gl-sidebar': '#f0efe8',
    '--gl-surface': '#ffffff',
    '--gl-surface-soft': '#faf9f5',
    '--gl-border': '#e4e3da',
    '--gl-accent-soft': 'var(--mantine-color-fern-0)',
    '--gl-accent-text': 'var(--mantine-color-fern-8)',
    '--gl-wheat': 'var(--mantine-color-wheat-4)',
    '--gl-mark': 'var(--mantine-color-wheat-1)',
    '--gl-shadow': '0 1px 2px rgb(35 42 38 / 5%), 0 4px 16px rgb(35 42 38 / 4%)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    ...softBadges,
    '--gl-hover': 'rgb(255 255 255 / 5%)',
    '--gl-active': 'rgb(79 157 120 / 16%)',
    '--gl-error-soft': '#38211f',
    '--gl-warning-soft': '#302814',
    '--gl-canvas': '#151a18',
    '--gl-sidebar': '#111513',
    '--gl-surface': '#1c2320',
    '--gl-surface-soft': '#212926',
    '--gl-border': '#2e3733',
    '--gl-accent-soft': 'rgb(79 157 120 / 16%)',
    '--gl-accent-text': 'var(--mantine-color-fern-3)',
    '--gl-wheat': 'var(--mantine-color-wheat-5)',
    '--gl-mark': 'rgb(216 165 44 / 16%)',
    '--gl-shadow': '0 1px 2px rgb(0 0 0 / 30%)',
  },
});
