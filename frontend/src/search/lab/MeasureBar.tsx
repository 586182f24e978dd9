import classes from './lab.module.css';
import { sayMeasure } from './measures';

/** A measure between 0 and 1 as a number with a small bar. */
export function MeasureBar({ value }: { value: number }) {
  return (
    <span className={classes.measure}>
      <span>{sayMeasure(value)}</span>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.fill} style={{ width: `${Math.min(Math.max(value, 0), 1) * 100}%` }} />
      </span>
    </span>
  );
}

/** A difference as a bar to the left or to the right of the middle; `most` reaches the end. */
export function DifferenceBar({ value, most }: { value: number; most: number }) {
  const size = Math.min(Math.abs(value) / most, 1) * 50;
  return (
    <span className={classes.differenceTrack} aria-hidden="true">
      <span
        className={classes.differenceFill}
        data-worse={value < 0 || undefined}
        style={{ width: `${size}%`, left: value < 0 ? `${50 - size}%` : '50%' }}
      />
    </span>
  );
}
