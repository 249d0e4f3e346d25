import { eq, sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { clientSecret } from '#lib/infra/db/schema/identity.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ClientApplication } from '#lib/protocol/fhir/types.ts';

export type Client = {
  id: string;
  projectId: string;
  secretHash: string;
  retiringHash: string | undefined;
  membershipId: string | undefined;
  resource: ClientApplication;
};

/** A client of any project by its id, which is unique across projects; undefined when unknown, deleted or switched off. */
export async function findClient(clientId: string): Promise<Client | undefined> {
  if (!isUuid(clientId)) return undefined;
  const id = clientId.toLowerCase();
  const [secret] = await db().select().from(clientSecret).where(eq(clientSecret.clientId, id));
  if (!secret) return undefined;
  const { projectId, secretHash, retiringHash } = secret;
  const [row] = await db().execute<{ membership_id: string | null; content: ClientApplication }>(sql`
    select k.membership_id, r.content
    from resource r
    left join membership_key k on k.project_id = r.project_id and k.user_ref = ${`ClientApplication/${id}`} and k.slot = ''
    where r.project_id = ${projectId} and r.type_id = ${typeId('ClientApplication')} and r.id = ${id} and not r.deleted`);
  if (!row || (row.content.status ?? 'active') !== 'active') return undefined;
  return {
    id,
    projectId,
    secretHash,
    retiringHash: retiringHash ?? undefined,
    membershipId: row.membership_id ?? undefined,
    resource: row.content,
  };
}
