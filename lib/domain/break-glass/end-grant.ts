import { AppError } from '#lib/base/errors.ts';
import { type BreakGlassRow, breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import type { GrantEnd, OwnGrant } from '#lib/protocol/break-glass/answers.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Ctx, callerOf, requireProjectAdmin, type Write } from '../access/context.ts';
import { glassEntry, grantOf } from '../access/glass.ts';
import { write } from '../audit/write.ts';
import { saveMembership } from '../memberships/save-membership.ts';
import { shareProject } from '../memberships/share-project.ts';
import { lockRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { findGrant, is, lockGrant, stateOf, toOwn } from './grant-rows.ts';
import { requirePerson } from './require-person.ts';

/** One’s own, now. Throws 404, and 409 once it has ended. */
export async function endOwnGrant(ctx: Ctx, grantId: string): Promise<OwnGrant> {
  const { projectId, membershipId } = requirePerson(ctx);
  return write(ctx, async (w) => {
    const found = await findGrant(projectId, grantId, w.tx, membershipId);
    return toOwn(await endNow(w, found, 'member'));
  });
}

/** Anybody’s, by an administrator. Throws 404, and 409 once it has ended. */
export async function endGrant(ctx: Ctx, projectId: string, grantId: string): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const found = await findGrant(projectId, grantId, w.tx);
    const isOwn = callerOf(actor).membershipId === found.membershipId;
    await endNow(w, found, isOwn ? 'member' : 'administrator');
  });
}

async function endNow(w: Write, { projectId, id, membershipId }: BreakGlassRow, by: GrantEnd): Promise<BreakGlassRow> {
  await shareProject(w.tx, projectId);
  const now = new Date();
  await takeEntry(w, { projectId, membershipId, grantId: id, at: now });
  const row = await lockGrant(w.tx, projectId, id);
  if (stateOf(row) !== 'open') throw new AppError('conflict', 'This emergency access has ended already');
  const enderRef = by === 'administrator' && w.actor ? callerOf(w.actor).profile : null;
  const [ended] = await w.tx
    .update(breakGlass)
    .set({ endedAt: now, endedBy: by, enderRef })
    .where(is(projectId, id))
    .returning();
  w.audit({ projectId, action: 'break-glass.end', target: `ProjectMembership/${membershipId}`, after: { grant: id } });
  return ended!;
}

type Entry = { projectId: string; membershipId: string; grantId: string; at: Date };

/** Out of the membership, which is locked before the grant. Where nothing else limits it the entry stays, and is over: without any, it would reach everything. */
export async function takeEntry(w: Write, { projectId, membershipId, grantId, at }: Entry): Promise<void> {
  const current = await lockRow(w.tx, projectId, 'ProjectMembership', membershipId);
  if (!current || current.deleted) return;
  const { access = [], ...membership } = toResource<ProjectMembership>(current);
  const entry = access.find((one) => grantOf(one) === grantId);
  if (!entry) return;
  const kept = access.filter((one) => one !== entry);
  const isLast = kept.length === 0 && !membership.accessPolicy;
  const over = glassEntry(grantId, entry.policy.reference ?? '', at);
  const next = isLast ? { access: [over] } : kept.length > 0 ? { access: kept } : {};
  await saveMembership(w, current, { ...membership, ...next }, w.actor?.profile);
}
