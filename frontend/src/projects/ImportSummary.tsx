import { Alert, List, Stack, Text } from '@mantine/core';
import type { ImportReport } from '../api/types';

const groups = [
  ['created', 'Added'],
  ['updated', 'Updated'],
  ['unchanged', 'Unchanged'],
] as const;

function namesOf(part: Record<string, string[]>): [string, string[]][] {
  return Object.entries(part).filter(([, names]) => names.length > 0);
}

/** What an import did, noun by noun, and which secrets are still to be typed in. */
export function ImportSummary({ report }: { report: ImportReport }) {
  return (
    <Stack gap="md">
      {groups.map(([key, title]) => {
        const nouns = namesOf(report[key]);
        if (!nouns.length) return null;
        return (
          <div key={key}>
            <Text fw={600}>{title}</Text>
            <List size="sm" withPadding>
              {nouns.map(([noun, names]) => (
                <List.Item key={noun}>
                  {noun}: {names.join(', ')}
                </List.Item>
              ))}
            </List>
          </div>
        );
      })}
      {report.missing_secrets.length > 0 && (
        <Alert color="wheat" title="Secrets to fill in">
          A project file never holds secret values. Add these under Secrets before you crawl:{' '}
          <b>{report.missing_secrets.join(', ')}</b>
        </Alert>
      )}
    </Stack>
  );
}
