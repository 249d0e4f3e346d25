import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ScimUser } from '#lib/protocol/scim/user.ts';
import { type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { findPerson, type Person } from './people.ts';
import { toUser } from './to-user.ts';

/** By the id of the membership. Throws 403, and 404 for whom the caller's project does not have, or no longer. */
export async function readUser(ctx: Ctx, id: string): Promise<ScimUser> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  return toUser(await requirePerson(actor.projectId, id), actor);
}

export async function requirePerson(projectId: string, id: string, q?: Queryable): Promise<Person> {
  const person = isUuid(id) ? await findPerson(projectId, id, q) : undefined;
  if (!person) throw notFound();
  return person;
}
