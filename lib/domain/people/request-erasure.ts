import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import type { WaitingChange } from '#lib/protocol/account-changes/answers.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { ErasureRequest } from '#lib/protocol/own-account/requests.ts';
import { type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { toWaiting } from '../account-changes/change-rows.ts';
import { type RequestedChange, requestChange } from '../account-changes/request-change.ts';
import { type FoundUser, findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { readMember } from '../memberships/read-member.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { findErasurePlaces, requireNoneAgainst } from './erasure-places.ts';
import { lockUser } from './lock-user.ts';

/** In a day: each is a mail. */
const REQUESTS = { limit: 5, windowSeconds: 86_400 };
const DAY_MS = 86_400_000;

/** What is typed by who means it: the address, or the name where there is none. */
export function toConfirm({ email, firstName, lastName }: FoundUser): string {
  return email ?? `${firstName} ${lastName}`;
}

/**
 * The end of an account is asked for: it waits for `ERASURE_WAIT_DAYS`, its address is told at once and can stop it. Throws 400 naming `confirm`, 409
 * naming the project that cannot be without it, and while it waits already; 429 past five a day.
 */
export async function requestErasure(
  w: Write,
  user: FoundUser,
  { confirm }: ErasureRequest,
  asked: Pick<RequestedChange, 'askedBy' | 'of'>,
): Promise<ChangeRow> {
  const locked = await lockUser(w.tx, user, [user.email]);
  const word = toConfirm({ ...locked.user, scope: user.scope });
  if (confirm.toLowerCase() !== word.toLowerCase())
    throw new AppError('invalid', 'This is not what the account is called', { expression: 'confirm' });
  requireNoneAgainst(await findErasurePlaces(w.tx, user.id));
  const waitMs = env().ERASURE_WAIT_DAYS * DAY_MS;
  return (await requestChange(w, { ...asked, user, kind: 'erase', detail: {}, waitMs, confirmed: true })).row;
}

/** Whoever asks, of one account. */
export function throttleErasure(userId: string): Promise<void> {
  return throttle(`erasure:${userId}`, REQUESTS.limit, REQUESTS);
}

/**
 * POST /admin/projects/:id/members/:id/erasure: by an administrator, of a person whose account is this project's own, with a proof. Throws 403 for who is
 * no administrator and for an account above projects, which is its person's; 404, 410 for a removed member; 409 for a program; and as `requestErasure`.
 */
export async function requestMemberErasure(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  input: ErasureRequest,
): Promise<WaitingChange> {
  const actor = requireProjectAdmin(ctx, projectId);
  const member = toResource<ProjectMembership>(await readMember(ctx, projectId, membershipId));
  const [type, userId = ''] = member.user.reference?.split('/') ?? [];
  const user = type === 'User' ? await findUser(userId, projectId) : undefined;
  if (!user) throw new AppError('conflict', 'This member has no account of a person', { expression: 'user' });
  if (user.scope === SERVER_SCOPE)
    throw new AppError('forbidden', 'This account stands above projects: only its person has it erased');
  await requireProof(actor);
  await throttleErasure(user.id);
  const project = await findRow(projectId, 'Project', projectId, db());
  const projectName = (project && toResource<Project>(project).name) ?? '';
  const of = { projectId, projectName, membershipId: membershipId.toLowerCase() };
  return write(ctx, async (w) => toWaiting(await requestErasure(w, user, input, { askedBy: actor.profile, of })));
}
