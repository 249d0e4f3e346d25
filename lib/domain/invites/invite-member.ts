import { AppError } from '#lib/base/errors.ts';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import { db } from '#lib/infra/db/client.ts';
import { together } from '#lib/infra/db/together.ts';
import type { Project, Reference, Stored, User } from '#lib/protocol/fhir/types.ts';
import { namesPolicy } from '#lib/protocol/policies/policy-required.ts';
import { type InviteRequest, type MembershipTemplate, toTemplate } from '#lib/protocol/requests/invite-member.ts';
import { type Actor, type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { createUser } from '../accounts/create-user.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { lockAddresses } from '../accounts/lock-addresses.ts';
import { requirePassword } from '../accounts/require-password.ts';
import { isSelfMade } from '../accounts/save-address.ts';
import { write } from '../audit/write.ts';
import { requireInviteRoom, takeInviteRoom } from '../limits/invite-room.ts';
import { endOfLink } from '../links/create-link.ts';
import { type Access, defaultAccess } from '../memberships/default-access.ts';
import { lockAdmins } from '../memberships/guard-admins.ts';
import { insertMembership, type NewMembership } from '../memberships/insert-membership.ts';
import type { NewInvite } from '../memberships/membership-key.ts';
import { requireOwnAccessKept } from '../memberships/own-access.ts';
import { requirePolicies } from '../memberships/require-policies.ts';
import { shareProject } from '../memberships/share-project.ts';
import { requireFreeProfile } from '../profiles/require-free-profile.ts';
import { createProfile, findProfile, type Profile } from '../profiles/resolve-profile.ts';
import { toInviteStatus } from '../standing/invite-status.ts';
import { toResource } from '../store/row.ts';
import { announceInvite } from './announce-invite.ts';
import { findPerson } from './find-person.ts';
import type { InviteResult } from './invite-result.ts';
import { requireFactorOf } from './require-factor-of.ts';
import { upsertMember } from './upsert-member.ts';

/**
 * Brings a person into a project (contract §2.2), all or nothing: User, profile, membership, link and mail. Of the same invite at once
 * one wins and the others find a member (409). Throws 400 for what is wrong in the request, 412 for an ambiguous profile.
 */
export async function inviteMember(ctx: Ctx, projectId: string, request: InviteRequest): Promise<InviteResult> {
  const actor = requireProjectAdmin(ctx, projectId);
  const { email, firstName, lastName, password } = request;
  if (password !== undefined) await requirePassword(password, 'password', [firstName, lastName, email ?? '']);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const isMailed = request.sendEmail !== false && email !== undefined;
  if (isMailed) await requireInviteRoom(ctx.write?.tx ?? db(), projectId);
  return write(ctx, async (w) => {
    const template = toTemplate(request);
    const { externalId } = request.upsert ? template : {};
    // In their order: what is sent after a lock sees what was committed before it was had.
    const [, , project, , person, profile] = await together(
      email ? lockAddresses(w.tx, [email]) : Promise.resolve(),
      request.upsert ? lockAdmins(w.tx, projectId) : Promise.resolve(),
      shareProject(w.tx, projectId),
      requirePolicies(w.tx, projectId, template),
      findPerson(w.tx, projectId, { email, externalId, scope: scopeOf(request) }),
      findProfile(w.tx, projectId, request),
    );
    if (request.mfaRequired && person.user) await requireFactorOf(w, person.user);
    const isMember = person.memberships.length > 0;
    if (isMember && !request.forceNewMembership) {
      if (!request.upsert)
        throw new AppError('conflict', 'User is already a member of this project', { expression: 'email' });
      if (person.user?.project && (await isUnproven(w, person.user)))
        throw new AppError('conflict', 'They have registered themselves, and nobody has proven the address', {
          expression: 'email',
        });
      return upsertMember(w, {
        actor,
        projectId,
        project,
        memberships: person.memberships,
        profile,
        template,
        request,
      });
    }
    if (isMember) requireOwnAccessKept(actor, `User/${person.user?.id}`);
    const joining = { actor, projectId, project, request, template, profile, known: person.user, further: isMember };
    const result = await addMember(w, joining, passwordHash);
    if (isMailed) w.afterCommit(() => void takeInviteRoom(projectId, 1).catch(logFailure));
    return result;
  });
}

function logFailure(err: unknown): void {
  log.warn({ err }, 'an invitation was not counted');
}

/** An externalId means nothing outside its project (contract §2.2). */
export function scopeOf({ resourceType, scope, externalId }: InviteRequest): 'project' | 'server' {
  if (externalId !== undefined) return 'project';
  return scope ?? (resourceType === 'Patient' ? 'project' : 'server');
}

type Joining = {
  actor: Actor;
  projectId: string;
  project: Project;
  request: InviteRequest;
  template: MembershipTemplate;
  /** Where they are there already. */
  profile: Profile | undefined;
  known: Stored<User> | undefined;
  /** They are a member, too. */
  further: boolean;
};

async function addMember(w: Write, joining: Joining, passwordHash: string | undefined): Promise<InviteResult> {
  const { actor, projectId, project, request, template, known, further } = joining;
  const [user, profile] = await together(
    known ? Promise.resolve(known) : makeUser(w, joining, passwordHash),
    joining.profile ? Promise.resolve(joining.profile) : createProfile(w, projectId, request, actor.profile),
  );
  const isNew = !known;
  const isActive = template.active !== false;
  // Nothing has to be asked of an account without a password that was made just now.
  const noted = isNew && passwordHash === undefined ? new Date() : undefined;
  const membership = await toMembership(w, joining, user, profile);
  const awaitsProof = !isNew && (await isUnproven(w, user));
  const id = newId();
  const store = () =>
    insertMembership(w, projectId, membership, {
      id,
      author: actor.profile,
      further,
      awaitsProof,
      invite: noted && toInvite(noted, isActive),
      ownProfile: !joining.profile,
      ownUser: isNew,
    });
  const handOver = mayHandOver(request, user, isNew);
  const announce = () =>
    announceInvite(w, actor, {
      ...{ projectId, project, membershipId: id, membership, user, isNew: noted !== undefined, noted, handOver },
      canEnter: async () => !awaitsProof && (await hasPassword(w.tx, user.id)),
      // Nobody is called to a door that is closed.
      mail: request.sendEmail !== false && isActive,
    });
  // Of who has an account it is asked whether they can enter by the membership.
  const [row, url] = noted ? await together(store(), announce()) : [await store(), await announce()];
  return { row, status: isNew ? 'created' : 'existing-user', link: handOver ? url : undefined };
}

async function makeUser(
  w: Write,
  { actor, projectId, request }: Joining,
  passwordHash: string | undefined,
): Promise<Stored<User>> {
  const { firstName, lastName, email, externalId } = request;
  const row = await createUser(w, {
    scope: scopeOf(request) === 'project' ? projectId : SERVER_SCOPE,
    firstName,
    lastName,
    email,
    externalId,
    passwordHash,
    mfaRequired: request.mfaRequired,
    author: actor.profile,
    joins: projectId,
  });
  return toResource<Stored<User>>(row);
}

/** What the membership is given: what the invite names, or else the default of its role. */
export function accessOf(project: Project, request: InviteRequest, patient?: Reference): Access {
  const { accessPolicy, access, admin } = toTemplate(request);
  if (accessPolicy !== undefined || access !== undefined)
    return { ...(accessPolicy && { accessPolicy }), ...(access && { access }) };
  return defaultAccess(project, { profileType: request.resourceType, admin: admin === true, patient });
}

async function toMembership(w: Write, joining: Joining, user: Stored<User>, profile: Profile): Promise<NewMembership> {
  const { actor, projectId, project, request, template } = joining;
  // Also one that was found: its owner may have written that e-mail address into it.
  if (joining.profile && template.active !== false) {
    const standing = { user: { reference: `User/${user.id}` }, profile: profile.reference };
    await requireFreeProfile(w.tx, projectId, standing, request.membership?.profile ? 'membership.profile' : 'email');
  }
  const access = accessOf(project, request, profile.patient);
  if (!namesPolicy(template)) await requirePolicies(w.tx, projectId, access);
  return {
    user: { reference: `User/${user.id}`, display: user.email ?? `${user.firstName} ${user.lastName}` },
    profile: profile.reference,
    invitedBy: { reference: actor.user, ...(actor.profileDisplay && { display: actor.profileDisplay }) },
    ...template,
    ...access,
  };
}

/** How it will stand with the link that is made next. */
function toInvite(invitedAt: Date, active: boolean): NewInvite {
  const link = { used: false, revoked: false, over: false, handed: false };
  const status = toInviteStatus({ active, canEnter: false, link, mail: undefined });
  return { status, invitedAt, ends: status === 'pending' ? endOfLink('invite', invitedAt) : null };
}

/**
 * An account above projects that was there before, or one that somebody has registered in this project, and whose address nobody has proven: it
 * may be somebody else's who waits for this.
 */
async function isUnproven(w: Write, user: Stored<User>): Promise<boolean> {
  if (user.emailVerified === true) return false;
  return user.project === undefined || isSelfMade(w.tx, user.id);
}

/** Whoever holds the link becomes that person. So it is not given out for a server-scoped User that other projects may know already. */
function mayHandOver(request: InviteRequest, user: User, isNew: boolean): boolean {
  return request.returnLink && (isNew || user.project !== undefined);
}
