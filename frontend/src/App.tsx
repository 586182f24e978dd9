import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { AppParts } from './createApp';
import { cssVariablesResolver, theme } from './theme';

interface AppProps extends AppParts {
  /** `test` leaves out transitions and the theme's variables, which jsdom takes long to compute. */
  env?: 'default' | 'test';
}

export function App({ router, queryClient, env = 'default' }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      env={env}
      withCssVariables={env !== 'test'}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="top-right" containerWidth={400} />
        <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': 'Close' } }}>
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
