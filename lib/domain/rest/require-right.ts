import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import type { Interaction } from '../access/rule.ts';
import { locate, refuseClosed } from './locate.ts';

/**
 * Before a body is read: who may do this with no resource of the type learns so, whatever they sent. Throws what the verb itself would, 404,
 * 405 or 403.
 */
export async function requireRight(ctx: Ctx, type: string, interaction: Interaction, id?: string): Promise<void> {
  const actor = requireActor(ctx);
  typeId(type);
  if (id !== undefined) await locate(actor, type, id, interaction);
  else {
    refuseClosed(actor, type, interaction);
    reach(actor, type, interaction);
  }
}
