import { Checkbox, NumberInput, Select, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FieldRow } from '../shared/forms/FieldRow';
import { FormSection } from '../shared/forms/FormSection';
import { LinesInput } from '../shared/forms/LinesInput';
import { RecordEditor } from '../shared/forms/RecordEditor';
import type { IndexerValues } from './indexerForm';
import { languageChoices } from './ranking';

export function WordsSection({ form }: { form: UseFormReturnType<IndexerValues> }) {
  return (
    <FormSection title="Words" description="Which words count, which do not, and which mean the same.">
      <Select
        label="Language"
        description="Of every column that names none of its own: “houses” also finds “house”."
        searchable
        data={languageChoices(form.values.language)}
        {...form.getInputProps('language')}
      />
      <Checkbox
        label="Leave out the little words of the language"
        description="the, and, of … They make the index smaller; a phrase such as “to be or not to be” is then hard to find."
        {...form.getInputProps('language_stop_words', { type: 'checkbox' })}
      />
      <TagsInput
        label="Stop words"
        description="Words of your own to leave out of the index. Type a word and press Enter; a regular expression goes between slashes, /like this/."
        placeholder={form.values.stop_words.length ? undefined : 'the, and, of …'}
        splitChars={[',', '\n']}
        {...form.getInputProps('stop_words')}
      />
      <FieldRow>
        <NumberInput
          label="Small words"
          description="Leave out words of at most this many letters. 0: keep all."
          min={0}
          max={20}
          allowDecimal={false}
          {...form.getInputProps('small_words')}
        />
        <NumberInput
          label="Fuzziness (q)"
          description="Letters per piece when matching misspelt words; 3 suits most."
          min={2}
          max={5}
          allowDecimal={false}
          {...form.getInputProps('q')}
        />
      </FieldRow>
      <RecordEditor
        form={form}
        path="word_weights"
        count={form.values.word_weights.length}
        label="Word weights"
        description="Words that count more (above 1) or less (below 1) than others."
        nameLabel="Word"
        valueLabel="Weight"
        addLabel="Add word"
        numeric
      />
      <LinesInput
        label="Synonyms"
        description="Words that mean the same, one group per line, separated by commas."
        placeholder="laptop, notebook, portable computer"
        {...form.getInputProps('synonyms')}
      />
    </FormSection>
  );
}
