import { Button, Group, Input, NumberInput, Select, Slider, Stack, Text, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useId, useRef } from 'react';
import { FormSection } from '../shared/forms/FormSection';
import { AddIcon } from '../shared/pictures/icons';
import type { IndexerValues } from './indexerForm';
import { builtInVariables, formulaFunctions, weightNames } from './ranking';
import { WeightRows } from './WeightRows';

interface SectionProps {
  form: UseFormReturnType<IndexerValues>;
}

interface SliderFieldProps extends SectionProps {
  name: 'k' | 'b';
  label: string;
  description: string;
  max: number;
  step: number;
}

function SliderField({ form, name, label, description, max, step }: SliderFieldProps) {
  const id = useId();
  const value = form.values[name];
  const change = (next: number | string) => typeof next === 'number' && form.setFieldValue(name, next);
  return (
    <Input.Wrapper label={label} description={description} error={form.errors[name]} id={id}>
      <Group wrap="nowrap" gap="md" mt={6}>
        <Slider
          flex={1}
          min={0}
          max={max}
          step={step}
          value={Math.min(value, max)}
          onChange={change}
          label={null}
          thumbLabel={`${label}, slider`}
        />
        <NumberInput id={id} w={90} min={0} step={step} decimalScale={3} value={value} onChange={change} />
      </Group>
    </Input.Wrapper>
  );
}

interface NameChipsProps {
  title: string;
  names: string[];
  onPick: (name: string) => void;
}

function NameChips({ title, names, onPick }: NameChipsProps) {
  if (!names.length) return null;
  return (
    <Group gap={6} role="group" aria-label={title}>
      <Text size="xs" c="dimmed" w={84}>
        {title}
      </Text>
      {names.map((name) => (
        <Button
          key={name}
          size="compact-xs"
          variant="default"
          ff="monospace"
          fw={400}
          onClick={() => onPick(name)}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}

/** The formula, with the names it may use as buttons that write them where the cursor is. */
function FormulaField({ form }: SectionProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const own = form.values.columns.map(({ variable }) => variable.trim()).filter(Boolean);
  const write = (text: string) => {
    const { formula } = form.values;
    const at = box.current?.selectionStart ?? formula.length;
    form.setFieldValue('formula', formula.slice(0, at) + text + formula.slice(at));
    box.current?.focus();
  };
  return (
    <Stack gap={8}>
      <Textarea
        ref={box}
        label="Formula"
        description="Moves documents up by what is known of them: log(reviews), votes / 10, 1 / price. Empty: only the words count."
        placeholder="log(reviews)"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        {...form.getInputProps('formula')}
      />
      <NameChips title="Your columns" names={own} onPick={write} />
      <NameChips title="Built in" names={builtInVariables(form.values.hits)} onPick={write} />
      <NameChips title="Functions" names={formulaFunctions} onPick={(name) => write(`${name}()`)} />
    </Stack>
  );
}

function AddWeight({ form }: SectionProps) {
  const { hits, weights } = form.values;
  const free = weightNames(hits).filter((name) => !weights.some((row) => row.name === name));
  if (!free.length) return null;
  return (
    <Select
      aria-label="Add a weight"
      placeholder="Add a weight"
      leftSection={<AddIcon size={14} />}
      w={200}
      value={null}
      data={free}
      onChange={(name) => name && form.insertListItem('weights', { name, value: 1 })}
    />
  );
}

const idfChoices = [
  { value: 'thesis', label: 'A word that every document has counts nothing' },
  { value: 'lucene', label: 'Every word counts something (as in Lucene)' },
];

export function RankingSection({ form }: SectionProps) {
  return (
    <FormSection
      title="Ranking"
      description="What makes a document come first. All of this can be changed later without collecting anything again."
    >
      <SliderField
        form={form}
        name="k"
        label="Repetition (k)"
        description="How much it counts that a word occurs often. 0: not at all."
        max={5}
        step={0.05}
      />
      <SliderField
        form={form}
        name="b"
        label="Length (b)"
        description="How much long texts are held back. 0: not at all, 1: fully."
        max={1}
        step={0.05}
      />
      <Select
        label="Rare words (idf)"
        description="How much more a rare word counts than a frequent one."
        data={idfChoices}
        allowDeselect={false}
        {...form.getInputProps('idf')}
      />
      <FormulaField form={form} />
      <Input.Wrapper
        label="Weights"
        labelElement="div"
        description="How the parts of the score are mixed. What is not listed keeps its usual weight."
        error={form.errors.weights}
      >
        <Stack gap="sm" mt="xs">
          <WeightRows form={form} />
          <AddWeight form={form} />
        </Stack>
      </Input.Wrapper>
    </FormSection>
  );
}
