import type { ReactNode } from 'react';
import classes from './FormSection.module.css';

/** Fields side by side where there is room. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className={classes.pair}>{children}</div>;
}
