import { and, eq } from 'drizzle-orm';
import { login } from '#lib/infra/db/schema/login.ts';
import type { Write } from '../access/context.ts';
import type { LoginKey } from './find-login.ts';

/** The person has shown who they are again, at this login. What is audited of it is the caller's. */
export async function noteProof(w: Write, { projectId, id }: LoginKey, at: Date): Promise<void> {
  await w.tx
    .update(login)
    .set({ provenAt: at })
    .where(and(eq(login.projectId, projectId), eq(login.id, id), eq(login.revoked, false)));
}
