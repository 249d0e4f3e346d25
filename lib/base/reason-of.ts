import { WrongSettings } from './wrong-settings.ts';

/** Why something failed, in one line for who runs the server: the first cause, since a query's own message holds its parameters. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof WrongSettings) return error.message.replaceAll(/\n\s*/g, ' ');
  if (error.cause instanceof Error) return reasonOf(error.cause);
  // Of several addresses that were tried.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message.split('\n', 1)[0] ?? '';
}
