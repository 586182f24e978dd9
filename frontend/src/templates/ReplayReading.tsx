import { Alert, Text } from '@mantine/core';
import type { Preview } from '../api/types';
import { sayValue } from '../documents/values';
import { sayCount } from '../shared/numbers';
import classes from './replay.module.css';

const mostShown = 3;

/** The documents that the template finds on the page, the first few with their values. */
export function ReplayReading({ preview }: { preview: Preview }) {
  const { documents, misses, link_count, failure } = preview;
  if (failure) return <Alert color="red">{failure}</Alert>;
  return (
    <>
      <Text size="sm">
        {documents.length ? sayCount(documents.length, 'document') : 'No document'} and{' '}
        {sayCount(link_count, 'link')}.{documents.length > mostShown && ` The first ${mostShown}:`}
      </Text>
      {documents.slice(0, mostShown).map((document, at) => (
        <dl key={at} className={classes.document}>
          {Object.entries(document.values).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{sayValue(value)}</dd>
            </div>
          ))}
        </dl>
      ))}
      {misses.slice(0, mostShown).map(({ index, field, sentence }) => (
        <Text key={`${index} ${field}`} size="sm" c="dimmed" mt={4}>
          {sentence}
        </Text>
      ))}
    </>
  );
}
