import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { EventStream } from './EventStream';
import { LiveContext } from './live';

/** Listens to what happens on the server, for everything inside. */
export function Events({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const stream = new EventStream(queries, setLive);
    stream.start();
    return () => stream.stop();
  }, [queries]);
  return <LiveContext value={isLive}>{children}</LiveContext>;
}
