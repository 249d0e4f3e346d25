import { AppError } from '#lib/base/errors.ts';
import type { StructureDefinition } from '#lib/protocol/fhir/profiles/node.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { mayReach } from '../../access/policy.ts';
import { nestedIn } from '../../conformance/load-profiles.ts';
import { type Row, toResource } from '../../store/row.ts';
import { findRowsByUrls } from '../../terminology/find-value-sets.ts';
import { shownAll } from '../shown.ts';

const TYPE = 'StructureDefinition';
/** Definitions, and statements: profiles that name profiles that name profiles. */
const MOST = { definitions: 60, steps: 6 };

/**
 * The profile with this canonical, and those that its elements' types name, and theirs, as far as the caller may search them: each once, the one that was
 * asked for first. Breadth first, one statement for all that the ones before name; what is more than 60 is left out. Throws 403 for who may search none,
 * 404 for a profile that they find none of.
 */
export async function expandProfile(ctx: Ctx, canonical: string): Promise<Row[]> {
  const actor = requireActor(ctx);
  if (!mayReach(actor, TYPE, 'search')) throw new AppError('forbidden', 'Forbidden');
  const rows = new Map<string, Row>();
  const asked = new Set([canonical]);
  let names = [canonical];
  for (let step = 0; step < MOST.steps && names.length > 0 && rows.size < MOST.definitions; step += 1) {
    const found = [...(await findRowsByUrls(ctx, TYPE, names)).values()].filter(({ id }) => !rows.has(id));
    const seen = await shownAll(actor, found, ctx.write?.tx);
    for (const row of seen) if (rows.size < MOST.definitions) rows.set(row.id, row);
    const next = seen.flatMap((row) => nestedIn(toResource<StructureDefinition>(row)));
    names = [...new Set(next)].filter((name) => !asked.has(name)).slice(0, MOST.definitions);
    for (const name of names) asked.add(name);
  }
  if (rows.size === 0)
    throw new AppError('not-found', `There is no profile ${canonical.slice(0, 200)}`, { expression: 'url' });
  return [...rows.values()];
}
