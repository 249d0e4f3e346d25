import { AppError } from '#lib/base/errors.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { mayReach } from '../access/policy.ts';
import type { Interaction } from '../access/rule.ts';
import { locate } from './locate.ts';
import { readResource } from './read-resource.ts';
import { ruleOf } from './type-rules.ts';

/** A mode that makes the change, and takes it back, finds out by itself about the instance. */
type Validated = { type: string; id: string | undefined; mode: string | undefined };

/**
 * Judging a resource costs what writing it does, and tells what is in the way of it: so it is for whoever could make such a change. Of a type: create or
 * update it; of an instance: update it, and see this one; with mode delete: delete. What may be reached is then a finding of
 * the mode. Throws 403, and 404 and 410 as a read does.
 */
export async function requireValidator(ctx: Ctx, { type, id, mode }: Validated): Promise<void> {
  const actor = requireActor(ctx);
  if (id === undefined) return requireOne(actor, type, mode === 'delete' ? ['delete'] : ['create', 'update']);
  const change = mode === 'delete' ? 'delete' : 'update';
  if (isClosed(type, change)) requireOne(actor, type, [change]);
  else await locate(actor, type, id, change);
  if (mode !== 'delete' && mode !== 'update') await readResource(ctx, type, id);
}

function requireOne(actor: Actor, type: string, changes: Interaction[]): void {
  // What FHIR does not offer for a type is made elsewhere, which is no secret to its readers.
  const may = changes.some((change) => mayReach(actor, type, isClosed(type, change) ? 'read' : change));
  if (!may) throw new AppError('forbidden', 'Forbidden');
}

function isClosed(type: string, change: Interaction): boolean {
  return ruleOf(type).closed?.[change] !== undefined;
}
