import type { InSet } from '#lib/protocol/fhir/profiles/scene.ts';
import { listedSet, r4Set } from '#lib/protocol/fhir/profiles/value-set.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { findByUrls } from '../terminology/find-value-sets.ts';
import type { Known } from './load-profiles.ts';

/** Of one statement (`findByUrls`). */
const MOST_SETS = 60;

/**
 * The value sets that profiles name, as far as the caller may search them: who asks what a profile of their own says of a code must not learn so
 * what is in a set that is hidden from them. One that is hidden is as one that is not there.
 */
export async function seenSets(ctx: Ctx, { profiles, valueSets }: Known): Promise<ReadonlyMap<string, InSet>> {
  const actor = requireActor(ctx);
  if (seesTerminology(actor)) return valueSets;
  const names = [...new Set([...profiles.values()].flatMap((profile) => profile.valueSets))];
  const mayAsk = mayReach(actor, 'ValueSet', 'search');
  const own = mayAsk ? await findByUrls(ctx, 'ValueSet', names.slice(0, MOST_SETS)) : undefined;
  return new Map(
    names.flatMap((name) => {
      const set = own?.get(name);
      const isIn = set ? listedSet(set) : r4Set(name);
      return isIn ? [[name, isIn] as const] : [];
    }),
  );
}

/** Whether they may search all of it: they are told what the project is. */
export function seesTerminology(actor: Actor): boolean {
  return ['ValueSet', 'CodeSystem'].every(
    (type) => mayReach(actor, type, 'search') && reach(actor, type, 'search').op === 'all',
  );
}
