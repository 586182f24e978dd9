import { Button, Fieldset, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import type { FieldErrors } from '../../api/errors';
import { usualWeight, weightNames } from '../../indexers/ranking';
import classes from './lab.module.css';
import type { Settings } from './settings';

interface NumberGridProps {
  title: string;
  /** Whether the title is shown. */
  heading?: boolean;
  /** What a number of this name is called for screen readers. */
  label: (name: string) => string;
  names: string[];
  values: Record<string, number>;
  errors: FieldErrors;
  path: string;
  /** What counts while a field is empty. */
  placeholder: (name: string) => string;
  onChange: (next: Record<string, number>) => void;
}

function NumberGrid({
  title,
  heading = true,
  label,
  names,
  values,
  errors,
  path,
  placeholder,
  onChange,
}: NumberGridProps) {
  const change = (name: string, value: number | string) => {
    const { [name]: _before, ...rest } = values;
    onChange(value === '' ? rest : { ...rest, [name]: Number(value) });
  };
  return (
    <div role="group" aria-label={title}>
      {heading && (
        <Text size="sm" fw={600} mb={4}>
          {title}
        </Text>
      )}
      <div className={classes.numbers}>
        {names.map((name) => (
          <NumberInput
            key={name}
            size="xs"
            label={name}
            labelProps={{ fw: 400 }}
            aria-label={label(name)}
            min={0}
            step={0.5}
            placeholder={placeholder(name)}
            value={values[name] ?? ''}
            error={errors[`${path}.${name}`]?.join(' ')}
            onChange={(value) => change(name, value)}
          />
        ))}
      </div>
    </div>
  );
}

export interface Preset {
  label: string;
  settings: Settings;
}

interface SettingsEditorProps {
  legend: string;
  settings: Settings;
  presets: Preset[];
  /** Columns whose words are searched. */
  columns: string[];
  /** Whether hubs and authorities are counted. */
  hits: boolean;
  /** What the server refused of these settings, by field. */
  errors: FieldErrors;
  onChange: (next: Settings) => void;
}

/** Settings to try: nothing of it is saved. */
export function SettingsEditor(props: SettingsEditorProps) {
  const { legend, settings, presets, columns, hits, errors, onChange } = props;
  const isWeighted = Object.keys(settings.weights).length > 0;
  const numberField = (name: 'k' | 'b', label: string, max: number) => (
    <NumberInput
      size="xs"
      label={label}
      min={0}
      max={max}
      step={0.05}
      value={settings[name]}
      error={errors[name]?.join(' ')}
      onChange={(value) => typeof value === 'number' && onChange({ ...settings, [name]: value })}
    />
  );
  return (
    <Fieldset legend={legend} className={classes.editor}>
      <Stack gap="sm">
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            Begin with
          </Text>
          {presets.map((preset) => (
            <Button
              key={preset.label}
              size="compact-xs"
              variant="default"
              onClick={() => onChange(preset.settings)}
            >
              {preset.label}
            </Button>
          ))}
        </Group>
        <div className={classes.numbers}>
          {numberField('k', 'Repetition (k)', 1000)}
          {numberField('b', 'Length (b)', 1)}
        </div>
        <Textarea
          size="xs"
          label="Formula"
          placeholder="none: only the words count"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={settings.formula}
          error={errors.formula?.join(' ')}
          onChange={({ currentTarget }) => onChange({ ...settings, formula: currentTarget.value })}
        />
        <NumberGrid
          title="Boosts of columns"
          label={(name) => `Boost of ${name}`}
          names={columns}
          values={settings.boosts}
          errors={errors}
          path="boosts"
          placeholder={() => 'as stored'}
          onChange={(boosts) => onChange({ ...settings, boosts })}
        />
        <details className={classes.weights} open={isWeighted || undefined}>
          <summary>Weights of the parts of a score</summary>
          <NumberGrid
            title="Weights"
            heading={false}
            label={(name) => `Weight of ${name}`}
            names={weightNames(hits)}
            values={settings.weights}
            errors={errors}
            path="weights"
            placeholder={(name) => String(usualWeight(name))}
            onChange={(weights) => onChange({ ...settings, weights })}
          />
        </details>
      </Stack>
    </Fieldset>
  );
}
