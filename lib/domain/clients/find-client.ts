import { sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
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
  const [row] = await db().execute<{
    project_id: string;
    secret_hash: string;
    retiring_hash: string | null;
    membership_id: string | null;
    content: ClientApplication;
  }>(sql`
    select s.project_id, s.secret_hash, s.retiring_hash, k.membership_id, r.content
    from client_secret s
    join resource r on r.project_id = s.project_id and r.type_id = ${typeId('ClientApplication')} and r.id = ${clientId.toLowerCase()} and not r.deleted
    left join membership_key k on k.project_id = s.project_id and k.user_ref = ${`ClientApplication/${clientId.toLowerCase()}`} and k.slot = ''
    where s.client_id = ${clientId}`);
  if (!row || (row.content.status ?? 'active') !== 'active') return undefined;
  return {
    id: clientId.toLowerCase(),
    projectId: row.project_id,
    secretHash: row.secret_hash,
    retiringHash: row.retiring_hash ?? undefined,
    membershipId: row.membership_id ?? undefined,
    resource: row.content,
  };
}
