import { AppError } from '#lib/base/errors.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { RECORD_ERASURE } from '#lib/protocol/record-erasure/requests.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireAll } from '../access/has-all.ts';

/** An administrator who has all of the project, and acts for nobody else. Throws 403. */
export function requireEraser(ctx: Ctx, projectId: string): Actor {
  const actor = requireProjectAdmin(ctx, projectId);
  if (actor.caller) throw new AppError('forbidden', 'Records are erased in one’s own name, on behalf of nobody');
  requireAll(actor, 'erases records');
  return actor;
}

export function isAllowed({ setting = [] }: Project): boolean {
  return setting.some(({ name, valueBoolean }) => name === RECORD_ERASURE && valueBoolean === true);
}

/** Throws 409 where the project does not have it. */
export function requireAllowed(project: Project): void {
  if (isAllowed(project)) return;
  const text = `This project erases no records: an administrator turns on its setting ${RECORD_ERASURE}, where the law lets them`;
  throw new AppError('conflict', text, { expression: RECORD_ERASURE });
}
