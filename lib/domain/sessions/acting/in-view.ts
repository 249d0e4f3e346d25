import { AppError } from '#lib/base/errors.ts';
import type { Actor } from '#lib/domain/access/context.ts';

/** Which requests of a route an administrator may send who looks with a member’s eyes. A route that does not say so is closed to them. */
export type InView = (params: Readonly<Record<string, string>>) => boolean;

/** Of a route that only reads. */
export const always: InView = () => true;

/** Throws 403. */
export function requireInView({ view }: Actor, inView: InView | undefined, params: Record<string, string>): void {
  if (view && !inView?.(params)) throw notInView();
}

export function notInView(): AppError {
  return new AppError(
    'forbidden',
    'With a member’s eyes you read records, and do nothing else: end the view to do this',
  );
}
