import { type Ctx, requireActor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { findByUrls } from '../terminology/find-value-sets.ts';

const TYPE = 'StructureDefinition';

/**
 * Whether the caller finds the profile that a canonical names. Who only asks what it would say of a resource of theirs must not learn so that there is one
 * which is hidden from them, nor what it demands.
 */
export async function seesProfile(ctx: Ctx, canonical: string): Promise<boolean> {
  const actor = requireActor(ctx);
  if (!mayReach(actor, TYPE, 'search')) return false;
  return reach(actor, TYPE, 'search').op === 'all' || (await findByUrls(ctx, TYPE, [canonical])).has(canonical);
}
