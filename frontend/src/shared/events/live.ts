import { createContext, useContext } from 'react';

/** Whether events arrive; then nobody need ask for news. */
export const LiveContext = createContext(false);

const pollMs = 15_000;

/** How often to ask for what events tell: not at all while they arrive, now and then while they do not. */
export function useNewsInterval(): number | false {
  return useContext(LiveContext) ? false : pollMs;
}
