import {
  Avatar,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useAccount, useForgetSession } from '../accounts/session';
import { $api } from '../api/client';
import { notifyError } from '../shared/notify';
import {
  DotsIcon,
  KeyIcon,
  LockIcon,
  MoonIcon,
  SignOutIcon,
  SunIcon,
  ThemeIcon,
  UsersIcon,
  type Icon,
} from '../shared/pictures/icons';
import classes from './Shell.module.css';

const themes: { value: MantineColorScheme; label: string; icon: Icon }[] = [
  { value: 'light', label: 'Light', icon: SunIcon },
  { value: 'dark', label: 'Dark', icon: MoonIcon },
  { value: 'auto', label: 'As the system', icon: ThemeIcon },
];

function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
      {themes.map((theme) => (
        <Menu.RadioItem key={theme.value} value={theme.value} rightSection={<theme.icon size={16} />}>
          {theme.label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

function useSignOut() {
  const forgetSession = useForgetSession();
  const navigate = useNavigate();
  return $api.useMutation('post', '/api/v1/auth/logout', {
    onError: notifyError,
    onSuccess: async () => {
      await navigate({ to: '/login', search: {} });
      forgetSession();
    },
  });
}

/** Everything about the person signed in. */
export function AccountMenu() {
  const account = useAccount();
  const signOut = useSignOut();
  if (!account) return null;
  return (
    <Menu width={228} position="top-start">
      <Menu.Target>
        <UnstyledButton className={classes.account} aria-label={`Account of ${account.username}`}>
          <Avatar size={30} color="fern" name={account.username} aria-hidden="true" />
          <Text component="span" truncate className={classes.grow} fz="sm" fw={600}>
            {account.username}
          </Text>
          <DotsIcon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<LockIcon size={16} />}
          renderRoot={(props) => <Link to="/account/password" {...props} />}
        >
          Change password
        </Menu.Item>
        <Menu.Item
          leftSection={<KeyIcon size={16} />}
          renderRoot={(props) => <Link to="/account/tokens" {...props} />}
        >
          API tokens
        </Menu.Item>
        {account.is_admin && (
          <Menu.Item
            leftSection={<UsersIcon size={16} />}
            renderRoot={(props) => <Link to="/users" {...props} />}
          >
            Users
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <ThemeItems />
        <Menu.Divider />
        <Menu.Item leftSection={<SignOutIcon size={16} />} onClick={() => signOut.mutate({})}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
