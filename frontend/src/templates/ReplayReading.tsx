import { Alert, Text } from '@mantine/core';
import type { Preview } from '../api/types';
import { sayValue } from '../documents/values';
import { sayCount } from '../shared/numbers';
import classes from './replay.module.css';

const mostShown = 3;
const mostNotices = 10;

/** What was read, but perhaps not as it was meant: by field, and how often. */
function Notices({ notices }: { notices: Preview['notices'] }) {
  if (!notices.length) return null;
  return (
    <ul className={classes.notices} aria-label="Notices">
      {notices.slice(0, mostNotices).map(({ field, sentence, count }) => (
        <li key={`${field} ${sentence}`}>
          {field && <b>{field}: </b>}
          {sentence}
          {count > 1 && ` (${sayCount(count, 'time')})`}
        </li>
      ))}
      {notices.length > mostNotices && <li>and {notices.length - mostNotices} more</li>}
    </ul>
  );
}

/** The documents that the template finds on the page, the first few with their values. */
export function ReplayReading({ preview }: { preview: Preview }) {
  const { documents, misses, notices, link_count, failure } = preview;
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
      <Notices notices={notices} />
    </>
  );
}
