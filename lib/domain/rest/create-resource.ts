import { newId } from '#lib/base/ids.ts';
import { takeTurns } from '#lib/base/turns.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import type { Holds } from '../access/fields.ts';
import { covers, reach, scopeReach } from '../access/policy.ts';
import { refused } from '../access/refused.ts';
import { noteRead } from '../audit/note-read.ts';
import { write } from '../audit/write.ts';
import { createRow, toIndexed } from '../store/create-row.ts';
import { createTogether } from '../store/create-together.ts';
import { isWatched } from '../store/feeds/announce.ts';
import { knowParams } from '../store/own-params/know-params.ts';
import { creatable } from '../store/visible-row.ts';
import { isResourceWithin } from '../store/within-reach.ts';
import { auditEntry } from './audit-entry.ts';
import { requireConstraints } from './constraints/require-constraints.ts';
import { refuseClosed } from './locate.ts';
import { findMatch } from './search/find-match.ts';
import { shown } from './shown.ts';
import { takeIn } from './take-in.ts';
import type { Made } from './type-rule.ts';
import { ruleOf } from './type-rules.ts';
import type { Written } from './written.ts';

export type CreateConditions = {
  /** A search (`identifier=s|v`): when one resource matches, that one is the answer and nothing is written. */
  ifNoneExist?: string;
};

/** A new resource with an id of ours. 400 for an invalid one, 403 when the policy does not let the caller make such a one. */
export async function createResource(
  ctx: Ctx,
  type: string,
  body: unknown,
  { ifNoneExist }: CreateConditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  typeId(type);
  refuseClosed(actor, type, 'create');
  reach(actor, type, 'create');
  const resource = await takeIn(ctx, type, body);
  if (ifNoneExist === undefined) return { ...(await make(ctx, resource)), created: true, changed: true };
  return write<Written>(ctx, async (w, inner) => {
    const row = await findMatch(inner, type, ifNoneExist);
    if (!row) return { ...(await make(inner, resource)), created: true, changed: true };
    w.unchanged();
    // The answer shows it, as a read does.
    noteRead(ctx, type, row.id);
    return { row: await shown(actor, row, w.tx), created: false, changed: false };
  });
}

/** `chosen`: an id of the caller's, which is free. Throws 403 when the policy does not let the caller make such a one. */
export async function make(ctx: Ctx, resource: Resource, chosen?: string): Promise<Made> {
  const id = chosen ?? newId();
  const actor = requireActor(ctx);
  const { projectId } = actor;
  const type = resource.resourceType;
  const rule = ruleOf(type);
  const after = await toNew(ctx, { ...resource, id });
  if (rule.create) return rule.create(ctx, projectId, { ...resource, meta: after.meta });
  const by = { author: actor.profile, id: after.id };
  if (!ctx.write && !rule.prepare && !rule.changed && !(await isWatched(projectId, type))) {
    await knowParams(projectId);
    const turn = takeTurns();
    const indexed = toIndexed({ actor }, projectId, after, by);
    await turn();
    await createTogether(ctx, indexed, auditEntry('create', indexed.row), { isChosen: chosen !== undefined });
    return { row: indexed.row };
  }
  return write(ctx, async (w, inner) => {
    const stored = (await rule.prepare?.({ ctx: inner, actor, projectId, after })) ?? after;
    const row = await createRow(w, projectId, stored, by);
    w.audit(auditEntry('create', row));
    await rule.changed?.(w, row);
    return { row };
  });
}

/**
 * A new resource as its maker may store it. 403 when the policy does not let them make such a one. What it asks of other resources is asked once where
 * rules speak of fields: if one held a moment later that did not before, what it hides would be let in.
 */
export async function toNew(ctx: Ctx, resource: Stored<Resource>): Promise<Stored<Resource>> {
  const actor = requireActor(ctx);
  const q = ctx.write?.tx;
  const { resource: after, holds } = await creatable(actor, actor.projectId, resource, q);
  await requireCreatable(actor, after, { q, holds });
  await requireConstraints(ctx, 'create', { after, holds });
  return after;
}

async function requireCreatable(actor: Actor, after: Stored<Resource>, { q, holds }: Judging): Promise<void> {
  const { policy, projectId } = actor;
  const type = after.resourceType;
  const asked = holds ? scopeReach(policy, type, 'create') : reach(actor, type, 'create');
  const isHeld = !holds || policy.rules.some((r) => covers(r, type, 'create') && holds(r));
  if (isHeld && (await isResourceWithin(asked, projectId, after, q))) return;
  throw refused(type, 'create', `Your access policy does not let you create this ${type}`);
}

type Judging = { q: Queryable | undefined; holds: Holds | undefined };
