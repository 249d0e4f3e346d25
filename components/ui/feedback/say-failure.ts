import { ApiError } from '#lib/client/api/api-error.ts';
import { toast } from './toast.tsx';

/**
 * Says that a change failed. Only a refusal (4xx) means that nothing happened: when no answer came, or the server failed, it may have been
 * done all the same.
 */
export function sayFailure(error: Error): void {
  const known = error instanceof ApiError ? error : undefined;
  const refused = known !== undefined && known.status >= 400 && known.status < 500;
  const request = known && !refused && known.requestId ? ` (request ${known.requestId})` : '';
  toast({
    title: refused ? 'Nothing was changed' : 'It is not known whether this was done',
    description: known ? `${known.message}${request}` : undefined,
    tone: 'danger',
  });
}
