import { randomId } from '@mantine/hooks';
import type {
  Action,
  ActionType,
  Inspector,
  InspectorRequest,
  InspectorType,
  Template,
  TemplateRequest,
} from '../api/types';
import { readLines } from '../shared/forms/fieldErrors';
import { parametersOf, type ParameterName } from './actionTypes';

/** An inspector as the form holds it: lists as text, and an identity of its own that survives reordering. */
export interface InspectorValues {
  uid: string;
  id?: number;
  name: string;
  selector: string;
  fallbacks: string;
  type: InspectorType;
  locale: string;
  value: string;
  attribute: string;
  variable: string;
  cleanup: { pattern: string; replacement: string }[];
  required: boolean;
  multiple: boolean;
  key: boolean;
}

/** An action as the form holds it: it keeps the parameters of other types while the person tries types out. */
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

export interface TemplateValues {
  name: string;
  description: string;
  item_scope: string;
  inspectors: InspectorValues[];
  actions: ActionValues[];
}

export function newInspector(): InspectorValues {
  return {
    uid: randomId(),
    name: '',
    selector: '',
    fallbacks: '',
    type: 'text',
    locale: '',
    value: '',
    attribute: '',
    variable: '',
    cleanup: [],
    required: false,
    multiple: false,
    key: false,
  };
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

export function emptyTemplate(): TemplateValues {
  return {
    name: '',
    description: '',
    item_scope: '',
    inspectors: [{ ...newInspector(), name: 'title' }],
    actions: [],
  };
}

function inspectorValues(inspector: Inspector, uid = randomId()): InspectorValues {
  return { ...inspector, uid, fallbacks: inspector.fallbacks.join('\n') };
}

function actionValues({ id: _id, ...action }: Action, uid = randomId()): ActionValues {
  return { ...newAction(action.type), ...action, uid };
}

/** A stored template as a form. Rows keep the identities of `shown`, so that saving leaves open what is open. */
export function templateValues(template: Template, shown?: TemplateValues): TemplateValues {
  const { name, description, item_scope, inspectors, actions } = template;
  return {
    name,
    description,
    item_scope,
    inspectors: inspectors.map((inspector, at) => inspectorValues(inspector, shown?.inspectors[at]?.uid)),
    actions: actions.map((action, at) => actionValues(action, shown?.actions[at]?.uid)),
  };
}

function inspectorPayload({ uid: _uid, fallbacks, cleanup, ...rest }: InspectorValues): InspectorRequest {
  const isConstant = rest.type === 'constant';
  return {
    ...rest,
    selector: isConstant ? '' : rest.selector.trim(),
    value: isConstant ? rest.value : '',
    fallbacks: isConstant ? [] : readLines(fallbacks),
    cleanup: cleanup.filter(({ pattern }) => pattern !== ''),
  };
}

/** Only the parameters of the action's own type go out; a number left empty goes out as the server's default. */
function actionPayload(values: ActionValues) {
  const own = parametersOf(values.type)
    .map(([name]): [ParameterName, unknown] => [name, values[name]])
    .filter(([, value]) => value !== '');
  const timeout = values.timeout_seconds === '' ? {} : { timeout_seconds: values.timeout_seconds };
  return { type: values.type, ...Object.fromEntries(own), optional: values.optional, ...timeout };
}

export function templatePayload(values: TemplateValues, project: number): TemplateRequest {
  return {
    project,
    name: values.name.trim(),
    description: values.description,
    item_scope: values.item_scope.trim(),
    inspectors: values.inspectors.map(inspectorPayload),
    actions: values.actions.map(actionPayload),
  };
}
