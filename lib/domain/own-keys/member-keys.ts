import { notFound } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { ApiKeyRow } from '#lib/protocol/api-keys/answers.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { endKeys, keysOf } from '../api-keys/key-rows.ts';
import { write } from '../audit/write.ts';
import { readMember } from '../memberships/read-member.ts';
import { told, toRow } from './own-keys.ts';

/** The keys of a member, for administrators. Throws 403 and 404. */
export async function listMemberKeys(ctx: Ctx, projectId: string, membershipId: string): Promise<ApiKeyRow[]> {
  requireProjectAdmin(ctx, projectId);
  const { id } = await readMember(ctx, projectId, membershipId);
  return (await keysOf(db(), projectId, id)).map(toRow);
}

/** Ends one key of a member, or all (`keyId` undefined). Throws 403, and 404 for a member or key that is not there. */
export async function endMemberKeys(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  keyId?: string,
): Promise<{ ended: number }> {
  requireProjectAdmin(ctx, projectId);
  const { id: of } = await readMember(ctx, projectId, membershipId);
  return write(ctx, async (w) => {
    const gone = await endKeys(w, projectId, { membershipId: of, id: keyId });
    if (keyId !== undefined && gone.length === 0) throw notFound();
    if (gone.length === 0) w.unchanged();
    const target = `ProjectMembership/${of}`;
    for (const key of gone) w.audit({ projectId, action: 'key.end', target, before: told(key) });
    return { ended: gone.length };
  });
}
