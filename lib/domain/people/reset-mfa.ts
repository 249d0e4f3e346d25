import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { readMember } from '../memberships/read-member.ts';
import { requireMemberUser } from '../memberships/require-member-user.ts';

/** Takes a person's second factor away (contract §2.3). Throws 400: there is no way to enrol one yet, so nobody has. */
export async function resetMfa(ctx: Ctx, projectId: string, membershipId: string, method = 'totp'): Promise<never> {
  requireProjectAdmin(ctx, projectId);
  await requireMemberUser(db(), await readMember(ctx, projectId, membershipId));
  throw new AppError('invalid', `User is not enrolled in ${method}`, { expression: 'method' });
}
