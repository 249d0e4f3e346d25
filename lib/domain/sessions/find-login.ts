import { and, eq, isNull, sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/login.ts';

/** What a token, a code or a cookie names a login by: it stands with its project. */
export type LoginKey = { projectId: string; id: string };

/** As it stands now, ended or not. */
export async function findLogin({ projectId, id }: LoginKey, q: Queryable = db()): Promise<LoginRow | undefined> {
  const [row] = await q
    .select()
    .from(login)
    .where(and(eq(login.projectId, projectId), eq(login.id, id)));
  return row;
}

/** For tokens that were made before they named their project: the only statement that asks all projects for one login. */
export async function findProjectOfLogin(id: string): Promise<string | undefined> {
  const [row] = await db().select({ projectId: login.projectId }).from(login).where(eq(login.id, id));
  return row?.projectId;
}

/** A sign-in that waits, if the release before has begun it, which has it stand in no project, or where it is limited to; from here on as ours do. */
export async function adoptLogin(id: string): Promise<LoginRow | undefined> {
  const waits = and(
    eq(login.id, id),
    isNull(login.membershipId),
    sql`${login.projectId} is distinct from ${SERVER_SCOPE}`,
  );
  const [older] = await db().select({ limitedTo: login.projectId }).from(login).where(waits);
  if (!older) return undefined;
  const [row] = await db()
    .update(login)
    .set({ projectId: SERVER_SCOPE, ...older })
    .where(waits)
    .returning();
  return row;
}

/** By a code that names no project: the release before gave it. */
export async function findLoginByCode(codeHash: string): Promise<LoginRow | undefined> {
  const [row] = await db().select().from(login).where(eq(login.codeHash, codeHash));
  return row;
}
