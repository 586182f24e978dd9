import type { UseFormReturnType } from '@mantine/form';
import { ApiError } from '../../api/errors';
import { notifyError } from '../notify';
import { placeFieldErrors } from './fieldErrors';

const mostFrames = 30;

/** The first control in reading order that complains takes the focus, as soon as its folded row has opened. */
export function focusFirstError(): void {
  const tryFrame = (framesLeft: number) =>
    requestAnimationFrame(() => {
      const control = document.querySelector<HTMLElement>('[aria-invalid="true"]');
      if (control) control.focus();
      else if (framesLeft > 0) tryFrame(framesLeft - 1);
    });
  tryFrame(mostFrames);
}

/** What to do when the server refuses a form: sentences at their fields, everything else as a toast. */
export function useRefusal<Values extends object>(form: UseFormReturnType<Values>): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ApiError)) return notifyError(error);
    const { placed, rest } = placeFieldErrors(error.fields, form.getValues());
    form.setErrors(placed);
    if (Object.keys(placed).length) focusFirstError();
    if (rest.length) return notifyError(new ApiError(error.status, error.code, rest.join(' ')));
    if (!Object.keys(placed).length) notifyError(error);
  };
}

/** Errors of a form that lie at or below a path. */
export function hasErrorsBelow(errors: Record<string, unknown>, path: string): boolean {
  return Object.keys(errors).some((key) => errors[key] && (key === path || key.startsWith(`${path}.`)));
}
