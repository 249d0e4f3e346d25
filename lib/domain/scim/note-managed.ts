import { scimMember } from '#lib/infra/db/schema/scim.ts';
import type { Actor, Write } from '../access/context.ts';

/** From now on the connection that acts manages this member. Of who acts otherwise nothing is noted. */
export async function noteManaged(w: Write, { projectId, scim }: Actor, membershipId: string): Promise<void> {
  if (!scim) return;
  const { connectionId } = scim;
  await w.tx
    .insert(scimMember)
    .values({ projectId, membershipId, connectionId })
    .onConflictDoUpdate({ target: [scimMember.projectId, scimMember.membershipId], set: { connectionId } });
}
