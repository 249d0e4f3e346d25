import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import type { Project, Stored, User } from '#lib/protocol/fhir/types.ts';
import type { InitProjectRequest } from '#lib/protocol/requests/init-project.ts';
import type { Actor, Ctx, Write } from '../access/context.ts';
import { createUser } from '../accounts/create-user.ts';
import { findUserByEmail } from '../accounts/find-user.ts';
import { lockAddresses } from '../accounts/lock-addresses.ts';
import { write } from '../audit/write.ts';
import { announceInvite } from '../invites/announce-invite.ts';
import { shareRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { requireCreator } from './create-project.ts';
import { insertProject } from './insert-project.ts';
import { insertDefaultClient, registerProject } from './register-project.ts';

/**
 * `Project/$init` (contract §2.1): a project with its default policies and client and, with an owner, their Practitioner profile and
 * admin membership, all or nothing. The owner is told by mail; one who has no account yet is invited. For super-admins. Throws 400
 * for an owner who is not a server-scoped User.
 */
export async function initProject(ctx: Ctx, input: InitProjectRequest): Promise<Row> {
  const actor = requireCreator(ctx);
  return write(ctx, async (w, inside) => {
    const owner = await findOwner(w, actor, input);
    return owner ? initOwned(w, inside, actor, input.name, owner) : initOwnerless(w, actor, input.name);
  });
}

type Owner = { user: User & { id: string; email: string }; isNew: boolean };

async function findOwner(w: Write, actor: Actor, input: InitProjectRequest): Promise<Owner | undefined> {
  if (input.ownerEmail) return findOrMakeOwner(w, actor, input.ownerEmail);
  if (input.owner) return requireOwner(w, input.owner.reference, 'owner');
  return actor.user.startsWith('User/') ? requireOwner(w, actor.user, 'owner') : undefined;
}

/** Nothing is known of somebody new but the address: they put their name right when they come. */
async function findOrMakeOwner(w: Write, actor: Actor, email: string): Promise<Owner> {
  await lockAddresses(w.tx, [email]);
  const known = await findUserByEmail(w.tx, SERVER_SCOPE, email);
  if (known) return requireOwner(w, `User/${known}`, 'ownerEmail');
  const person = { scope: SERVER_SCOPE, firstName: email.split('@')[0]!, lastName: 'Owner', email };
  const row = await createUser(w, { ...person, author: actor.profile });
  return { user: { ...toResource<Stored<User>>(row), email }, isNew: true };
}

async function requireOwner(w: Write, reference: string, expression: string): Promise<Owner> {
  const parsed = parseReference(reference);
  const isUser = parsed?.kind === 'local' && parsed.type === 'User' && !parsed.version;
  const row = isUser ? await shareRow(w.tx, SERVER_SCOPE, 'User', parsed.id) : undefined;
  const user = row && !row.deleted ? toResource<Stored<User>>(row) : undefined;
  if (user?.email) return { user: { ...user, email: user.email }, isNew: false };
  throw new AppError('invalid', 'The owner must be a User that is not scoped to a project', { expression });
}

async function initOwned(w: Write, ctx: Ctx, actor: Actor, projectName: string, owner: Owner): Promise<Row> {
  const { user, isNew } = owner;
  const { id: userId, firstName, lastName, email } = user;
  const isCaller = actor.user === `User/${userId}`;
  const { row, projectId, membershipId } = await registerProject(ctx, {
    ...{ userId, firstName, lastName, email, projectName },
    author: actor.profile,
    // An account can be made for anybody's address, and would wait there for the project.
    awaitsProof: !isNew && !isCaller && user.emailVerified !== true,
  });
  if (!isCaller) {
    await announceInvite(w, actor, { projectId, project: toResource<Project>(row), membershipId, user, mail: true });
  }
  return row;
}

async function initOwnerless(w: Write, actor: Actor, name: string): Promise<Row> {
  const author = actor.profile;
  const row = await insertProject(w, { resourceType: 'Project', name, strictMode: true }, { author });
  await insertDefaultClient(w, row.id, name, { author });
  return row;
}
