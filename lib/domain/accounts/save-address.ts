import type { Queryable } from '#lib/infra/db/client.ts';
import { userLogin } from '#lib/infra/db/schema/identity.ts';

/** The one address that a User signs in with, in small letters. A unique violation (`uniqueViolation`) where another User of that scope has it. */
export async function saveAddress(tx: Queryable, userId: string, scope: string, emailLower: string): Promise<void> {
  await tx
    .insert(userLogin)
    .values({ userId, scope, emailLower })
    .onConflictDoUpdate({ target: userLogin.userId, set: { emailLower } });
}
