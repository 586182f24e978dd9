import type { InspectorType } from '../api/types';

/** What each type of inspector makes of what its selector finds. */
export const inspectorTypes: Record<InspectorType, { label: string; about: string }> = {
  text: { label: 'Text', about: 'The words of the element.' },
  number: { label: 'Number', about: 'A number, read as the locale writes it.' },
  price: { label: 'Price', about: 'An amount with its currency.' },
  date: { label: 'Date', about: 'A day or a moment, also “3 days ago”.' },
  link: { label: 'Link', about: 'The address a link leads to.' },
  image: { label: 'Image', about: 'The address of a picture.' },
  html: { label: 'HTML', about: 'The element with its formatting, made safe.' },
  constant: { label: 'Constant', about: 'The same value for every document.' },
};

export const inspectorTypeChoices = (Object.keys(inspectorTypes) as InspectorType[]).map((value) => ({
  value,
  label: inspectorTypes[value].label,
}));

/** Types whose text is read differently from country to country. */
export function readsLocale(type: InspectorType): boolean {
  return type === 'number' || type === 'price' || type === 'date';
}
