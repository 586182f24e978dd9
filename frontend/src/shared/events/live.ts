import { createContext, useContext } from 'react';

/** Whether events arrive; then there is little need to ask for news. */
export const LiveContext = createContext(false);

const pollMs = 15_000;
// An open stream may still tell nothing, while the server cannot read its own news.
const assuranceMs = 60_000;

/** How often to ask for what events tell: hardly while they arrive, now and then while they do not. */
export function useNewsInterval(): number {
  return useContext(LiveContext) ? assuranceMs : pollMs;
}
