import type { Piece } from '../api/types';
import classes from './search.module.css';

/** Text with what was searched for marked in it. */
export function Pieces({ pieces }: { pieces: Piece[] }) {
  return pieces.map(({ text, match }, at) =>
    match ? (
      <mark key={at} className={classes.mark}>
        {text}
      </mark>
    ) : (
      <span key={at}>{text}</span>
    ),
  );
}
