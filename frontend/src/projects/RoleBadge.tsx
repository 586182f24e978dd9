import { Badge } from '@mantine/core';
import type { Role } from '../api/types';

const words: Record<Role, string> = { viewer: 'Viewer', editor: 'Editor', admin: 'Administrator' };
const colors: Record<Role, string> = { viewer: 'gray', editor: 'wheat', admin: 'fern' };

export const roleChoices = (Object.keys(words) as Role[]).map((value) => ({ value, label: words[value] }));

export function RoleBadge({ role }: { role: Role }) {
  return (
    <Badge variant="light" color={colors[role]} tt="none" fw={600}>
      {words[role]}
    </Badge>
  );
}
