import { eq, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { clientSecret, registeredClient } from '#lib/infra/db/schema/clients.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { ClientList, ClientRow } from '#lib/protocol/answers/clients.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { policiesOf } from '../access/policies-of.ts';
import { resolveNames } from '../audit/resolve-names.ts';
import { IN_TIME } from '../standing/in-time.ts';

type Found = {
  id: string;
  name: string | null;
  description: string | null;
  owner: Reference | null;
  launch_uri: string | null;
  status: string | null;
  last_updated: string;
  membership_id: string | null;
  admin: boolean | null;
  membership: ProjectMembership | null;
  last_used_at: string | null;
  remote_address: string | null;
  total: number;
};

const MOST = 1000;

/** The project's clients by name. For administrators. */
export async function listClients(ctx: Ctx, projectId: string): Promise<ClientList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const [found, secrets, registered] = await Promise.all([
    findAll(projectId),
    findSecrets(projectId),
    findRegistered(projectId),
  ]);
  const members = await findMembers(projectId, found);
  const names = await resolveNames(
    projectId,
    found.flatMap(({ membership }) => policiesOf(membership ?? {})),
  );
  const rows = found.map((row): ClientRow => {
    const secret = secrets.get(row.id);
    return {
      id: row.id,
      name: row.name ?? '',
      description: row.description,
      owner: row.owner && toOwner(row.owner, members),
      launchUri: row.launch_uri,
      registeredWith: registered.get(row.id) ?? null,
      status: (row.status ?? 'active') === 'active' ? 'active' : 'off',
      membershipId: row.membership_id,
      admin: row.admin === true,
      policies: policiesOf(row.membership ?? {}).map((reference) => ({
        reference,
        display: names.get(reference) ?? reference,
      })),
      secret: secret ? { rotatedAt: secret.rotatedAt.toISOString(), retiring: secret.retiringHash !== null } : null,
      lastUsedAt: toInstant(row.last_used_at),
      lastUsedFrom: row.remote_address,
      lastUpdated: toInstant(row.last_updated),
    };
  });
  return { total: found[0]?.total ?? 0, rows };
}

function findAll(projectId: string): Promise<Found[]> {
  return db().execute<Found>(sql`
    select r.id, r.content->>'name' as name, r.content->>'description' as description,
      r.content->'owner' as owner, r.content->>'launchUri' as launch_uri, r.content->>'status' as status, r.last_updated,
      k.membership_id, k.admin, m.content as membership, l.last_used_at, l.remote_address,
      (select count(*)::int from resource t where t.project_id = ${projectId} and t.type_id = r.type_id and not t.deleted) as total
    from resource r
    left join membership_key k on k.project_id = ${projectId} and k.user_ref = ('ClientApplication/' || r.id) collate "default" and k.slot = ''
    left join resource m on m.project_id = ${projectId} and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    left join lateral (select last_used_at, remote_address from login l
      where l.project_id = ${projectId} and l.membership_id = k.membership_id order by l.last_used_at desc limit 1) as l on true
    where r.project_id = ${projectId} and r.type_id = ${typeId('ClientApplication')} and not r.deleted
    order by lower(r.content->>'name'), r.id limit ${MOST}`);
}

/** Who are members now, by their memberships' ids. */
async function findMembers(projectId: string, found: Found[]): Promise<Map<string, Member>> {
  const ids = [...new Set(found.flatMap(({ owner }) => idOf(owner) ?? []))].filter(isUuid);
  if (ids.length === 0) return new Map();
  const rows = await db().execute<Member>(sql`
    select membership_id as id, name, active and ${IN_TIME} as "isIn" from membership_key
    where project_id = ${projectId} and membership_id = any(${toTextArray(ids)}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

type Member = { id: string; name: string | null; isIn: boolean };

function idOf(owner: Reference | null): string | undefined {
  return owner?.reference?.slice('ProjectMembership/'.length);
}

/** One who is no member any more keeps the name that they had. */
function toOwner(owner: Reference, members: Map<string, Member>): ClientRow['owner'] {
  const id = idOf(owner) ?? '';
  const member = members.get(id);
  return { membershipId: id, name: member?.name ?? owner.display ?? 'Somebody', hasLeft: member?.isIn !== true };
}

/** With which token those have come that have registered themselves. */
async function findRegistered(projectId: string): Promise<Map<string, string>> {
  const rows = await db()
    .select({ id: registeredClient.clientId, name: registeredClient.tokenName })
    .from(registeredClient)
    .where(eq(registeredClient.projectId, projectId));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function findSecrets(projectId: string): Promise<Map<string, typeof clientSecret.$inferSelect>> {
  const rows = await db().select().from(clientSecret).where(eq(clientSecret.projectId, projectId));
  return new Map(rows.map((row) => [row.clientId, row]));
}
