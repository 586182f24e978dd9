import { useDocumentTitle } from '@mantine/hooks';
import { EmptyState } from '../shared/EmptyState';
import { LinkButton } from '../shared/LinkButton';

export function NotFound() {
  useDocumentTitle('Nothing here · Gleaner');
  return (
    <EmptyState
      order={1}
      scene="trouble"
      title="Nothing here"
      actions={<LinkButton link={{ to: '/' }}>To your projects</LinkButton>}
    >
      This address leads to no page. It may have been deleted, or mistyped.
    </EmptyState>
  );
}
