import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';

/** Somebody else was there first. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** The code does not do what samples expect. */
export function isOtherwise(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422;
}

/** Known here, before anything is sent. */
export function refuse(title: string, description: string): false {
  toast({ tone: 'danger', title, description });
  return false;
}

export function report(title: string, error: unknown): void {
  const id = error instanceof ApiError && error.requestId ? ` (request ${error.requestId})` : '';
  toast({ tone: 'danger', title, description: `${(error as Error).message}${id}` });
}
