import { useRef, useState, type KeyboardEvent } from 'react';
import { $api } from '../../api/client';
import type { SearchResult } from '../../api/types';
import { notifyError } from '../../shared/notify';
import classes from './lab.module.css';

export const grades = ['Not at all', 'A little', 'Good', 'Exactly'];

interface GradeButtonsProps {
  indexer: number;
  query: string;
  result: SearchResult;
  /** What was judged before; null where nothing was. */
  stored: number | null;
}

/** Judge one result: a click gives a grade, a click on the same grade takes it back. Arrows walk, 0 to 3 judge. */
export function GradeButtons({ indexer, query, result, stored }: GradeButtonsProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>();
  const [focused, setFocused] = useState(0);
  const judge = $api.useMutation('post', '/api/v1/indexers/{id}/judge');
  const grade = chosen === undefined ? stored : chosen;
  const judgeResult = (next: number | null) => {
    setChosen(next);
    judge.mutate(
      { params: { path: { id: indexer } }, body: { query, key: result.key, grade: next } },
      {
        onError: (error) => {
          setChosen(undefined);
          notifyError(error);
        },
      },
    );
  };
  const focusButton = (at: number) => {
    setFocused(at);
    bar.current?.querySelectorAll('button')[at]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = Number(event.key);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) focusButton((focused + step + grades.length) % grades.length);
    else if (/^[0-3]$/.test(event.key)) judgeResult(pressed);
    else if (event.key === 'Delete' || event.key === 'Backspace') judgeResult(null);
    else return;
    event.preventDefault();
  };
  const name = result.title.map(({ text }) => text).join('');
  return (
    <div
      role="toolbar"
      aria-label={`Judge ${name}`}
      className={classes.grades}
      ref={bar}
      onKeyDown={onKeyDown}
    >
      {grades.map((label, at) => (
        <button
          key={label}
          type="button"
          className={classes.grade}
          data-grade={at}
          aria-pressed={grade === at}
          tabIndex={at === focused ? 0 : -1}
          onFocus={() => setFocused(at)}
          onClick={() => judgeResult(grade === at ? null : at)}
        >
          <b>{at}</b> <span>{label}</span>
        </button>
      ))}
    </div>
  );
}
