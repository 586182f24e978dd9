import { notifications } from '@mantine/notifications';
import { ApiError, sentenceOf } from '../api/errors';

const closeButtonProps = { 'aria-label': 'Close this message' };

/** Say that something worked. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'fern', autoClose: 4000, closeButtonProps });
}

/** Say, in the server's own sentence, that something did not. A lost session is answered by the login page instead. */
export function notifyError(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) return;
  notifications.show({
    title: 'That did not work',
    message: sentenceOf(error),
    color: 'red',
    autoClose: 9000,
  });
}
