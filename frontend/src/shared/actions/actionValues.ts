import { randomId } from '@mantine/hooks';
import type { Action, ActionType } from '../../api/types';
import { parametersOf, type ParameterName } from './actionTypes';

/** An action as a form holds it: it keeps the parameters of other types while the person tries types out. */
export interface ActionValues {
  uid: string;
  type: ActionType;
  selector: string;
  text: string;
  submit: boolean;
  key: string;
  option: string;
  seconds: number | '';
  times: number | '';
  max_times: number | '';
  direction: 'down' | 'up';
  optional: boolean;
  timeout_seconds: number | '';
}

export function newAction(type: ActionType): ActionValues {
  return {
    uid: randomId(),
    type,
    selector: '',
    text: '',
    submit: false,
    key: 'Enter',
    option: '',
    seconds: 1,
    times: 1,
    max_times: 100,
    direction: 'down',
    optional: false,
    timeout_seconds: 10,
  };
}

/** A stored chain as a form. Rows keep the identities of `shown`, so that saving leaves open what is open. */
export function chainValues(actions: Action[], shown: ActionValues[] = []): ActionValues[] {
  return actions.map(({ id: _id, ...action }, at) => ({
    ...newAction(action.type),
    ...action,
    uid: shown[at]?.uid ?? randomId(),
  }));
}

/** Only the parameters of the action's own type go out; a number left empty goes out as the server's default. */
export function actionPayload(values: ActionValues) {
  const own = parametersOf(values.type)
    .map(([name]): [ParameterName, unknown] => [name, values[name]])
    .filter(([, value]) => value !== '');
  const timeout = values.timeout_seconds === '' ? {} : { timeout_seconds: values.timeout_seconds };
  return { type: values.type, ...Object.fromEntries(own), optional: values.optional, ...timeout };
}
