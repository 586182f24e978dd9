import { randomId } from '@mantine/hooks';
import type { Inspector, InspectorRequest, InspectorType, Template, TemplateRequest } from '../api/types';
import { actionPayload, chainValues, type ActionValues } from '../shared/actions/actionValues';
import { readLines } from '../shared/forms/fieldErrors';

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

export interface TemplateValues {
  name: string;
  description: string;
  item_scope: string;
  inspectors: InspectorValues[];
  actions: ActionValues[];
  actions_on: Template['actions_on'];
  actions_pattern: string;
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

export function emptyTemplate(): TemplateValues {
  return {
    name: '',
    description: '',
    item_scope: '',
    inspectors: [{ ...newInspector(), name: 'title' }],
    actions: [],
    actions_on: 'every',
    actions_pattern: '',
  };
}

function inspectorValues(inspector: Inspector, uid = randomId()): InspectorValues {
  return { ...inspector, uid, fallbacks: inspector.fallbacks.join('\n') };
}

/** A stored template as a form. Rows keep the identities of `shown`, so that saving leaves open what is open. */
export function templateValues(template: Template, shown?: TemplateValues): TemplateValues {
  const { name, description, item_scope, inspectors, actions, actions_on, actions_pattern } = template;
  return {
    name,
    description,
    item_scope,
    inspectors: inspectors.map((inspector, at) => inspectorValues(inspector, shown?.inspectors[at]?.uid)),
    actions: chainValues(actions, shown?.actions),
    actions_on,
    actions_pattern,
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

export function templatePayload(values: TemplateValues, project: number): TemplateRequest {
  return {
    project,
    name: values.name.trim(),
    description: values.description,
    item_scope: values.item_scope.trim(),
    inspectors: values.inspectors.map(inspectorPayload),
    actions: values.actions.map(actionPayload),
    actions_on: values.actions.length ? values.actions_on : 'every',
    actions_pattern: values.actions_pattern.trim(),
  };
}
