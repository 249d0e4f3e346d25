import { and, count, eq, gt, min } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { type AccessRequestRow, accessRequest } from '#lib/infra/db/schema/access-request.ts';
import type { OwnAccessRequest } from '#lib/protocol/access-requests/answers.ts';
import type { AccessRequestRequest } from '#lib/protocol/access-requests/requests.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { namesPolicy, requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { isForAdministrators } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { tooMany } from '../limits/throttle.ts';
import { shareProject } from '../memberships/share-project.ts';
import { findRefusal } from '../refusals/refusal-rows.ts';
import { requireLive, shareRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { toOwn } from './request-rows.ts';
import { requireSelf } from './require-self.ts';
import { tellAsked } from './tell-requests.ts';

const MOST_OPEN = 5;
const MOST_A_DAY = 20;
/** Of so many new requests of a project in an hour its administrators are mailed: the console has all. */
const MOST_MAILED = 10;
const DAY_MS = 86_400_000;
const LAPSES_MS = 30 * DAY_MS;

type What = { type: string; interaction: string; decisionId: string | null };

/**
 * A member asks for what they were refused, or for an interaction with a type. The same again, while it is open, is the same request. Throws 400 for what no policy
 * opens, 404 for a refusal that is not one’s own or over, alike; 409 where five are open, or nothing limits them; 429.
 */
export async function askAccess(
  ctx: Ctx,
  asked: AccessRequestRequest,
): Promise<{ request: OwnAccessRequest; isNew: boolean }> {
  const self = requireSelf(ctx);
  const { projectId, membershipId } = self;
  const what = await readWhat(self, asked);
  const known = await findOpen(db(), self, what);
  if (known) return { request: toOwn(known), isNew: false };
  return write(ctx, async (w) => {
    await lockName(w.tx, `access-requests:${projectId}:${membershipId}`);
    const project = await shareProject(w.tx, projectId);
    const membership = requireLive(await shareRow(w.tx, projectId, 'ProjectMembership', membershipId));
    const meanwhile = await findOpen(w.tx, self, what);
    if (meanwhile) {
      w.unchanged();
      return { request: toOwn(meanwhile), isNew: false };
    }
    requireLimited(toResource<ProjectMembership>(membership), project);
    await requireRoom(w.tx, self);
    const now = new Date();
    const [row] = await w.tx
      .insert(accessRequest)
      .values({
        ...{ ...what, projectId, membershipId, id: newId(), reason: asked.reason, createdAt: now },
        ...{ userRef: self.user, profileRef: self.profile, dueAt: new Date(now.getTime() + LAPSES_MS) },
      })
      .returning();
    if (await isQuiet(w.tx, projectId)) await tellAsked(w.tx, project, self, row!);
    const after = { request: row!.id, resourceType: what.type, interaction: what.interaction };
    w.audit({ projectId, action: 'access-request.ask', target: `ProjectMembership/${membershipId}`, after });
    return { request: toOwn(row!), isNew: true };
  });
}

async function readWhat(self: Actor, asked: AccessRequestRequest): Promise<What> {
  const { decision, resourceType: type = '', interaction = '' } = asked;
  if (decision === undefined) return opened({ type, interaction, decisionId: null }, 'resourceType');
  const id = decision.toLowerCase();
  const refusal = await findRefusal(self.projectId, id);
  // What they were refused in the name of another is that one's.
  if (!refusal || refusal.membershipId !== self.membershipId || refusal.caller !== null) throw notFound();
  return opened({ type: refusal.type, interaction: refusal.interaction, decisionId: id }, 'decision');
}

function opened(what: What, expression: string): What {
  if (!isForAdministrators(what.type)) return what;
  const text = `No access policy opens ${what.type}: it takes the role of an administrator`;
  throw new AppError('invalid', text, { expression });
}

/** A first policy would be all that they have (contract §4.1). */
export function requireLimited(membership: ProjectMembership, project: Project): void {
  if (namesPolicy(membership) || requiresPolicy(project)) return;
  throw new AppError('conflict', 'No policy limits this membership: a first one would be all that it has');
}

async function findOpen(
  q: Queryable,
  { projectId, membershipId }: Actor,
  { type, interaction }: What,
): Promise<AccessRequestRow | undefined> {
  const [row] = await q
    .select()
    .from(accessRequest)
    .where(
      and(ofMember(projectId, membershipId), eq(accessRequest.type, type), eq(accessRequest.interaction, interaction)),
    );
  return row;
}

/** Under the lock of the member. Throws 409 for too many open ones, and 429 for too many of a day. */
async function requireRoom(tx: Queryable, { projectId, membershipId }: Actor): Promise<void> {
  const [open] = await tx.select({ n: count() }).from(accessRequest).where(ofMember(projectId, membershipId));
  if ((open?.n ?? 0) >= MOST_OPEN)
    throw new AppError(
      'conflict',
      `${MOST_OPEN} of your requests are open; withdraw one of them, or wait for an answer`,
    );
  const { createdAt } = accessRequest;
  const whose = and(eq(accessRequest.projectId, projectId), eq(accessRequest.membershipId, membershipId));
  const [day] = await tx
    .select({ n: count(), first: min(createdAt) })
    .from(accessRequest)
    .where(and(whose, gt(createdAt, new Date(Date.now() - DAY_MS))));
  if (!day?.first || day.n < MOST_A_DAY) return;
  const wait = Math.ceil((day.first.getTime() + DAY_MS - Date.now()) / 1000);
  throw tooMany(wait, `You asked for access ${MOST_A_DAY} times within a day`);
}

/** With the one that was just made. */
async function isQuiet(tx: Queryable, projectId: string): Promise<boolean> {
  // Of many who ask at once each counts those before.
  await lockName(tx, `access-requests-told:${projectId}`);
  const lately = gt(accessRequest.createdAt, new Date(Date.now() - DAY_MS / 24));
  const [hour] = await tx
    .select({ n: count() })
    .from(accessRequest)
    .where(and(eq(accessRequest.projectId, projectId), lately));
  return (hour?.n ?? 0) <= MOST_MAILED;
}

/** Its open ones. */
function ofMember(projectId: string, membershipId: string) {
  return and(
    eq(accessRequest.projectId, projectId),
    eq(accessRequest.membershipId, membershipId),
    eq(accessRequest.state, 'open'),
  );
}
