import {
  Autocomplete,
  Checkbox,
  NumberInput,
  SegmentedControl,
  Input,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CodeInput } from '../forms/CodeInput';
import { FieldRow } from '../forms/FieldRow';
import { actionKinds, actionTypes, keyNames, parametersOf, type ParameterName } from './actionTypes';
import type { ActionValues } from './actionValues';
import { SecretTextInput } from './SecretTextInput';

interface ActionFieldsProps<Values extends object> {
  form: UseFormReturnType<Values>;
  /** Where the action is in the form, e.g. `login.actions.0`. */
  path: string;
  action: ActionValues;
  /** What is typed is kept as a secret. */
  typesSecrets: boolean;
}

type ParameterKind = ReturnType<typeof parametersOf>[number][1];

interface ParameterFieldProps<Values extends object> extends ActionFieldsProps<Values> {
  name: ParameterName;
  parameter: ParameterKind;
}

const typeChoices = actionTypes.map((value) => ({ value, label: actionKinds[value].label }));

function ParameterField<Values extends object>(props: ParameterFieldProps<Values>) {
  const { form, action, name, parameter, typesSecrets } = props;
  const path = `${props.path}.${name}` as never;
  const common = {
    label: parameter.label,
    description: parameter.description,
    required: !parameter.optional,
  };
  switch (parameter.kind) {
    case 'selector':
      return <CodeInput placeholder="//button" {...common} {...form.getInputProps(path)} />;
    case 'text':
      if (typesSecrets && action.type === 'type')
        return <SecretTextInput {...common} {...form.getInputProps(path)} />;
      return <TextInput autoComplete="off" {...common} {...form.getInputProps(path)} />;
    case 'key':
      return <Autocomplete data={keyNames} {...common} {...form.getInputProps(path)} />;
    case 'seconds':
      return (
        <NumberInput
          min={0}
          max={300}
          decimalScale={1}
          suffix=" s"
          {...common}
          {...form.getInputProps(path)}
        />
      );
    case 'times':
      return <NumberInput min={1} allowDecimal={false} {...common} {...form.getInputProps(path)} />;
    case 'flag':
      return <Checkbox label={parameter.label} {...form.getInputProps(path, { type: 'checkbox' })} />;
    case 'direction':
      return (
        <Input.Wrapper label={parameter.label} labelElement="div">
          <div>
            <SegmentedControl
              aria-label={parameter.label}
              data={[
                { value: 'down', label: 'Down' },
                { value: 'up', label: 'Up' },
              ]}
              {...form.getInputProps(path)}
            />
          </div>
        </Input.Wrapper>
      );
  }
}

/** One step of the action chain: its type, what that type needs, and how patient it is. */
export function ActionFields<Values extends object>(props: ActionFieldsProps<Values>) {
  const { form, path, action } = props;
  return (
    <Stack gap="md">
      {form.errors[path] && (
        <Text c="var(--mantine-color-error)" size="sm">
          {form.errors[path]}
        </Text>
      )}
      <Select
        label="Action"
        description={actionKinds[action.type].about}
        data={typeChoices}
        {...form.getInputProps(`${path}.type` as never)}
      />
      {parametersOf(action.type).map(([name, parameter]) => (
        <ParameterField key={name} {...props} name={name} parameter={parameter} />
      ))}
      <FieldRow>
        <NumberInput
          label="Patience"
          description="How long to try before giving up."
          min={0}
          max={3600}
          suffix=" s"
          {...form.getInputProps(`${path}.timeout_seconds` as never)}
        />
        <Checkbox
          mt={{ base: 0, sm: 26 }}
          label="Optional"
          description="When it fails, go on with the next step."
          {...form.getInputProps(`${path}.optional` as never, { type: 'checkbox' })}
        />
      </FieldRow>
    </Stack>
  );
}
