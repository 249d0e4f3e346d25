import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { IN_TIME } from '../standing/in-time.ts';
import { findUser } from './find-user.ts';

const MOST = 20;

/** The addresses of people who administer the project just now, as far as they have one. At most 20. */
export async function findAdministrators(tx: Queryable, projectId: string): Promise<string[]> {
  const rows = await tx.execute<{ user_ref: string }>(sql`
    select user_ref from membership_key
    where project_id = ${projectId} and admin and active and ${IN_TIME} and user_ref like 'User/%' order by membership_id limit ${MOST}`);
  const addresses = new Set<string>();
  for (const { user_ref: reference } of rows) {
    const user = await findUser(reference.slice('User/'.length), projectId, tx);
    if (user?.email) addresses.add(user.email);
  }
  return [...addresses];
}
