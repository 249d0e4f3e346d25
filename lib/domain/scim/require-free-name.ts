import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { compileFilter } from './compile-filter.ts';
import { findPeople, namedLike } from './people.ts';

/**
 * Throws 409 where another person of the project has this userName, whatever its case. Of two at once the second sees the first: the name
 * is held to the end of the transaction, and before all other locks.
 */
export async function requireFreeName(
  tx: Queryable,
  projectId: string,
  userName: string,
  self?: string,
): Promise<void> {
  await lockName(tx, `directory:${projectId}:${userName.toLowerCase()}`);
  const where = compileFilter({ op: 'eq', attribute: 'userName', value: userName });
  const others = self === undefined ? where : sql`${where} and u.id <> ${self}`;
  const found = await findPeople(
    { projectId, where: others, among: namedLike(projectId, userName) },
    { count: 1, offset: 0 },
    tx,
  );
  if (found.length > 0) throw taken();
}

export function taken(cause?: unknown): AppError {
  return new AppError('conflict', 'A member with this userName, e-mail address or externalId exists already', {
    scim: 'uniqueness',
    cause,
  });
}
