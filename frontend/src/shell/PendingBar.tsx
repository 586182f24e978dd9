import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import classes from './PendingBar.module.css';

const patienceMs = 400;

function useIsSlow(busy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setSlow(true), patienceMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return isSlow;
}

/** A thin line at the top while anything takes longer than a blink. */
export function PendingBar() {
  const calls = useIsFetching() + useIsMutating();
  const isNavigating = useRouterState({ select: (state) => state.isLoading });
  if (!useIsSlow(calls > 0 || isNavigating)) return null;
  return <div className={classes.bar} role="progressbar" aria-label="Working" />;
}
