import { Fieldset } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { SaveBar } from '../forms/SaveBar';
import { focusFirstError, useRefusal } from '../forms/useRefusal';
import classes from './NounForm.module.css';

/** Writes the values and gives them back as stored; nothing when the page goes elsewhere afterwards. */
export interface SaveNoun<Values> {
  pending: boolean;
  run: (values: Values) => Promise<Values | undefined>;
}

function showStored<Values extends object>(form: UseFormReturnType<Values>, stored: Values): void {
  form.setInitialValues(stored);
  form.setValues(stored);
  form.clearErrors();
}

interface NounFormProps<Values extends object> {
  form: UseFormReturnType<Values>;
  readOnly: boolean;
  label: string;
  save: SaveNoun<Values>;
  children: ReactNode;
}

/** The form of a configuration noun: saves, puts refusals at their fields, guards unsaved work. Viewers only read it. */
export function NounForm<Values extends object>({
  form,
  readOnly,
  label,
  save,
  children,
}: NounFormProps<Values>) {
  const showRefusal = useRefusal(form);
  const submit = form.onSubmit((values) => {
    save.run(values).then((stored) => stored && showStored(form, stored), showRefusal);
  }, focusFirstError);
  return (
    <form noValidate onSubmit={submit}>
      <Fieldset variant="unstyled" disabled={readOnly} className={classes.fields}>
        {children}
      </Fieldset>
      {!readOnly && <SaveBar isDirty={() => form.isDirty()} saving={save.pending} label={label} />}
    </form>
  );
}
