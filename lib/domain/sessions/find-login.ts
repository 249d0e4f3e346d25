import { and, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/identity.ts';

/** What a token, a code or a cookie names a login by: it stands with its project. */
export type LoginKey = { projectId: string; id: string };

/** As it stands now, ended or not. */
export async function findLogin({ projectId, id }: LoginKey): Promise<LoginRow | undefined> {
  const [row] = await db()
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
