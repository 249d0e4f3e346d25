import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type FoundUser, findUser } from '../accounts/find-user.ts';
import { type Row, toResource } from '../store/row.ts';

/** The person behind a membership that mail can reach. Throws 400 for a client or bot, and for somebody without an address. */
export async function requireMemberUser(tx: Queryable, membership: Row): Promise<FoundUser & { email: string }> {
  const { user } = toResource<ProjectMembership>(membership);
  const id = /^User\/(.+)$/.exec(user.reference ?? '')?.[1];
  const found = id === undefined ? undefined : await findUser(id, membership.projectId, tx);
  if (!found) throw new AppError('invalid', 'This membership is not a person');
  if (!found.email) throw new AppError('invalid', 'This person has no e-mail address');
  return { ...found, email: found.email };
}
