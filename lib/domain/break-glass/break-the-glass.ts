import { and, count, eq, gt, isNull, lte, min, or, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import type { OwnGrant } from '#lib/protocol/break-glass/answers.ts';
import type { BreakGlassRequest } from '#lib/protocol/break-glass/requests.ts';
import { type GlassTerms, readGlassTerms } from '#lib/protocol/break-glass/settings.ts';
import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { glassEntry, withoutGlassEntries } from '../access/glass.ts';
import { isPlaced, lineageOf } from '../access/lineage.ts';
import { write } from '../audit/write.ts';
import { tooMany } from '../limits/throttle.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { requirePolicies } from '../memberships/require-policies.ts';
import { saveMembership } from '../memberships/save-membership.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { glassMinutesOf } from '../sessions/glass/glass-minutes.ts';
import { findLineages } from '../store/policies/find-policies.ts';
import { toResource } from '../store/row.ts';
import { toOwn } from './grant-rows.ts';
import { requirePerson } from './require-person.ts';
import { tellOpened } from './tell-opened.ts';

const MOST_A_DAY = 5;
/** Of so many grants of a project in an hour administrators are mailed: the console has all. */
const MOST_MAILED = 20;
const HOUR_MS = 3_600_000;

/**
 * A member who may takes emergency access, at once and for minutes: the policy that the project says, as an entry of their `access` that ends. Throws 403
 * for who may not, and without a proof of who they are; 409 while one is open, where nothing limits them, and where that policy is gone; 429 past five a day.
 */
export async function breakTheGlass(ctx: Ctx, { reason }: BreakGlassRequest): Promise<OwnGrant> {
  const self = requirePerson(ctx);
  const { projectId, membershipId } = self;
  return write(ctx, async (w) => {
    // Of many at once the lock lets through one, and the next finds it.
    const { project, current } = await lockMember(w.tx, projectId, membershipId, undefined, false);
    const membership = toResource<ProjectMembership>(current);
    const terms = requireTerms(self, project, membership);
    await requireProof(self, w.tx);
    requireLimited(membership);
    // Also of those by another membership of theirs, and of the mails, each counts those before.
    await lockName(w.tx, `break-glass:${projectId}`);
    await settleOver(w.tx, self);
    await requireNoneOpen(w.tx, self);
    await requireRoom(w.tx, self);
    await requireUsable(w.tx, projectId, terms.policy);
    const openedAt = new Date();
    const endsAt = new Date(openedAt.getTime() + terms.minutes * 60_000);
    const id = newId();
    const [row] = await w.tx
      .insert(breakGlass)
      .values({
        ...{ projectId, id, membershipId, userRef: self.user, profileRef: self.profile },
        ...{ policy: terms.policy, reason, openedAt, endsAt },
      })
      .returning();
    const others = (membership.access?.length ?? 0) > 0 ? withoutGlassEntries(membership).access! : [];
    const kept = others.filter(({ policy }) => policy.reference !== undefined);
    const next = { ...membership, access: [...kept, glassEntry(id, terms.policy, endsAt)] };
    await requirePolicies(w.tx, projectId, next, membership);
    await saveMembership(w, current, next, self.profile);
    await tellOpened(w.tx, { project, self, row: row!, mailsAll: await isMailed(w.tx, projectId) });
    const after = { grant: id, policy: terms.policy, until: endsAt.toISOString() };
    w.audit({ projectId, action: 'break-glass.open', target: `ProjectMembership/${membershipId}`, after });
    return toOwn(row!);
  });
}

/** As they stand now, whatever the session was told when it began. */
function requireTerms(
  { user }: Actor,
  { setting = [], ...project }: Project,
  membership: ProjectMembership,
): GlassTerms {
  const terms = readGlassTerms(setting);
  const isActive = membership.active !== false && isInTime(toEntryDates(membership));
  const isTheirs = isActive && membership.user.reference === user;
  if (terms && isTheirs && glassMinutesOf({ ...project, setting }, membership) !== undefined) return terms;
  throw new AppError('forbidden', 'Emergency access is not set up for you in this project: ask an administrator');
}

/** A first policy would be all that they have (contract §4.1). */
function requireLimited(membership: ProjectMembership): void {
  if (membership.accessPolicy || membership.access?.length) return;
  throw new AppError('conflict', 'No policy limits this membership: there is no glass to break');
}

/** What nobody has noted yet: its time is over. */
async function settleOver(tx: Queryable, { projectId, membershipId }: Actor): Promise<void> {
  const { endsAt, endedAt } = breakGlass;
  await tx
    .update(breakGlass)
    .set({ endedAt: sql`ends_at`, endedBy: 'time' })
    .where(and(ofMember(projectId, membershipId), isNull(endedAt), lte(endsAt, new Date())));
}

async function requireNoneOpen(tx: Queryable, { projectId, membershipId }: Actor): Promise<void> {
  const [open] = await tx
    .select({ id: breakGlass.id })
    .from(breakGlass)
    .where(and(ofMember(projectId, membershipId), isNull(breakGlass.endedAt)));
  if (open) throw new AppError('conflict', 'Your emergency access is open already');
}

/** Also by another membership of the same person. */
async function requireRoom(tx: Queryable, { projectId, membershipId, user }: Actor): Promise<void> {
  const { openedAt, userRef } = breakGlass;
  const whose = or(eq(breakGlass.membershipId, membershipId), eq(userRef, user));
  const lately = gt(openedAt, new Date(Date.now() - 24 * HOUR_MS));
  const [day] = await tx
    .select({ n: count(), first: min(openedAt) })
    .from(breakGlass)
    .where(and(eq(breakGlass.projectId, projectId), whose, lately));
  if (!day?.first || day.n < MOST_A_DAY) return;
  const wait = Math.ceil((day.first.getTime() + 24 * HOUR_MS - Date.now()) / 1000);
  throw tooMany(wait, `You had emergency access ${MOST_A_DAY} times within a day: ask an administrator`);
}

/** It stays until the transaction ends. */
async function requireUsable(tx: Queryable, projectId: string, reference: string): Promise<void> {
  const lineage = lineageOf(reference, await findLineages(projectId, [reference], { q: tx, stays: true }));
  if (lineage && !isPlaced(lineage)) return;
  throw new AppError(
    'conflict',
    'The policy of emergency access is gone, or of no use: an administrator chooses another',
  );
}

/** With the one that was just made. */
async function isMailed(tx: Queryable, projectId: string): Promise<boolean> {
  const lately = gt(breakGlass.openedAt, new Date(Date.now() - HOUR_MS));
  const [hour] = await tx
    .select({ n: count() })
    .from(breakGlass)
    .where(and(eq(breakGlass.projectId, projectId), lately));
  return (hour?.n ?? 0) <= MOST_MAILED;
}

function ofMember(projectId: string, membershipId: string) {
  return and(eq(breakGlass.projectId, projectId), eq(breakGlass.membershipId, membershipId));
}
