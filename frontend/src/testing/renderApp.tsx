import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event';
import { App } from '../App';
import { createApp } from '../createApp';

/** The whole app at an address, as a person opens it. */
export function renderApp(address: string) {
  const parts = createApp({ history: createMemoryHistory({ initialEntries: [address] }), retryDelay: 1 });
  render(<App {...parts} env="test" />);
  return {
    ...parts,
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
  };
}
