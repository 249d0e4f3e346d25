import { sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

export type Client = {
  id: string;
  projectId: string;
  secretHash: string;
  retiringHash: string | undefined;
  /** Those that were added by name. `endsAt`: in epoch milliseconds. */
  secrets: NamedSecret[];
  membershipId: string | undefined;
  resource: ClientApplication;
};

export type NamedSecret = { id: string; hash: string; endsAt: number | null };

type Secrets = { project_id: string; secret_hash: string; retiring_hash: string | null; named: NamedSecret[] };

/** A client of any project by its id, which is unique across projects; undefined when unknown, deleted or switched off. */
export async function findClient(clientId: string): Promise<Client | undefined> {
  if (!isUuid(clientId)) return undefined;
  const id = clientId.toLowerCase();
  const [secret] = await db().execute<Secrets>(sql`
    select s.project_id, s.secret_hash, s.retiring_hash, coalesce((
      select jsonb_agg(jsonb_build_object('id', n.id, 'hash', n.secret_hash, 'endsAt', floor(extract(epoch from n.expires_at) * 1000)))
      from client_named_secret n where n.client_id = s.client_id), '[]'::jsonb) as named
    from client_secret s where s.client_id = ${id}`);
  if (!secret) return undefined;
  const { project_id: projectId, secret_hash: secretHash, retiring_hash: retiringHash, named } = secret;
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
    secrets: named,
    membershipId: row.membership_id ?? undefined,
    resource: row.content,
  };
}
