import { and, eq } from 'drizzle-orm';
import { login } from '#lib/infra/db/schema/login.ts';
import { loginTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import type { LoginKey } from './find-login.ts';

/** The person has proven a second factor for this login. What is audited of it is the caller's. */
export async function noteFactor(w: Write, { projectId, id }: LoginKey): Promise<void> {
  await w.tx
    .update(login)
    .set({ factorAt: new Date() })
    .where(and(eq(login.projectId, projectId), eq(login.id, id), eq(login.revoked, false)));
  w.invalidate(loginTag(id));
}
