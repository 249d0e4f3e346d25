import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type StartedView, VIEW_NOTICE, VIEW_SECONDS, type ViewAsRequest } from '#lib/protocol/view-as/view-as.ts';
import { type Actor, type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { tooMany } from '../limits/throttle.ts';
import { readMember } from '../memberships/read-member.ts';
import { shareProject } from '../memberships/share-project.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findActor } from '../sessions/acting/act-on-behalf-of.ts';
import { mayView } from '../sessions/acting/actor-of-view.ts';
import { findOwnLogin } from '../sign-in/find-own-login.ts';
import { requireLive, shareRows } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { countViews, endViews, insertView, type NewView } from '../views/view-rows.ts';
import { signViewToken } from './sign-view-token.ts';
import { tellViewed } from './tell-viewed.ts';

const MOST_AN_HOUR = 20;
const HOUR_MS = 3_600_000;

/**
 * An administrator looks at their project with a member’s eyes for ten minutes: what the member may read and they may, too. One that they have open ends. The
 * token is in the answer and nowhere else. For people who have signed in themselves, about people who may come in; with a proof. Throws 403, 404, of a
 * removed member 410; 409 for oneself, a program, and who is not in just now or cannot be; 429 past twenty in an hour.
 */
export async function startView(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { reason }: ViewAsRequest,
): Promise<StartedView> {
  const viewer = requireViewer(ctx, projectId);
  const login = await findOwnLogin(viewer, { within: true });
  if (!login) throw notThemselves();
  const target = await readMember(ctx, projectId, membershipId);
  const { id } = target;
  if (id === viewer.membershipId) throw new AppError('conflict', 'With your own eyes you look already');
  if (!toResource<ProjectMembership>(target).user.reference?.startsWith('User/'))
    throw new AppError('conflict', 'A program has no eyes: the access test tells what it may do');
  await requireSeeing(projectId, id);
  const { row, member } = await write(ctx, async (w) => {
    await requireProof(w.actor, w.tx);
    await lockName(w.tx, `views:${projectId}:${viewer.membershipId}`);
    const project = await shareProject(w.tx, projectId);
    const member = await shareBoth(w.tx, viewer, id);
    await requireRoom(w.tx, viewer);
    await endViews(w, projectId, { viewerId: viewer.membershipId });
    const now = new Date();
    const view: NewView = {
      ...{ projectId, id: newId(), loginId: login.id, viewerId: viewer.membershipId, membershipId: id, reason },
      ...{ viewerDisplay: viewer.profileDisplay ?? null, userRef: member.user.reference ?? '' },
      ...{ createdAt: now, endsAt: new Date(now.getTime() + VIEW_SECONDS * 1000) },
    };
    await insertView(w, view);
    tellAudit(w, view);
    if (isTold(project)) await tellViewed(w.tx, project, view);
    return { row: { ...view, endedAt: null }, member };
  });
  const { reference = '', display } = member.profile;
  return {
    id: row.id,
    token: await signViewToken(row, reference, viewer),
    member: { reference: `ProjectMembership/${id}`, display: display ?? null },
    profile: { reference, display: display ?? null },
    now: row.createdAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
  };
}

/** An administrator of this very project, in their own name. */
function requireViewer(ctx: Ctx, projectId: string): Actor {
  const actor = requireProjectAdmin(ctx, projectId);
  if (actor.projectId !== projectId || !mayView(actor)) throw notThemselves();
  return actor;
}

function notThemselves(): AppError {
  const text =
    'Only a person who administers this project, and has signed in themselves, looks with the eyes of a member';
  return new AppError('forbidden', text);
}

/** That they may come in and have come, and that what they may do can be told. Throws 409. */
async function requireSeeing(projectId: string, membershipId: string): Promise<void> {
  const found = await findActor(projectId, `ProjectMembership/${membershipId}`, '').catch((cause: unknown) => {
    if (!(cause instanceof AppError) || (cause.code !== 'invalid' && cause.code !== 'unauthorized')) throw cause;
    throw new AppError('conflict', 'The access of this member is broken: nobody can say what they see', { cause });
  });
  if (!found)
    throw new AppError('conflict', 'This member is not active just now, or has yet to come in: they see nothing');
}

/** Both are as they were when they were asked about, and stay so until the commit. */
async function shareBoth(tx: Queryable, { projectId, membershipId }: Actor, id: string): Promise<ProjectMembership> {
  const rows = await shareRows(tx, projectId, 'ProjectMembership', [membershipId, id]);
  const [own, theirs] = [membershipId, id].map((each) =>
    toResource<ProjectMembership>(requireLive(rows.find((row) => row.id === each))),
  ) as [ProjectMembership, ProjectMembership];
  if (own.admin !== true || !isIn(own)) throw new AppError('forbidden', 'Forbidden');
  if (!isIn(theirs)) throw new AppError('conflict', 'This member is not active just now: they see nothing');
  return theirs;
}

function isIn(membership: ProjectMembership): boolean {
  return membership.active !== false && isInTime(toEntryDates(membership));
}

async function requireRoom(tx: Queryable, { projectId, membershipId: viewerId }: Actor): Promise<void> {
  const { count, first } = await countViews(tx, { projectId, viewerId, since: new Date(Date.now() - HOUR_MS) });
  if (count < MOST_AN_HOUR || !first) return;
  const wait = Math.ceil((first.getTime() + HOUR_MS - Date.now()) / 1000);
  throw tooMany(wait, `You looked with the eyes of members ${MOST_AN_HOUR} times within an hour`);
}

function isTold({ setting = [] }: Project): boolean {
  return !setting.some(({ name, valueBoolean }) => name === VIEW_NOTICE && valueBoolean === false);
}

function tellAudit(w: Write, { projectId, id, membershipId, reason, endsAt }: NewView): void {
  const after = { view: id, until: endsAt.toISOString(), reason };
  w.audit({ projectId, action: 'view.start', target: `ProjectMembership/${membershipId}`, after });
}
