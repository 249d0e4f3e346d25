import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { MemberSession, MemberSessions } from '#lib/protocol/answers/member-sessions.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { readMember } from '../memberships/read-member.ts';
import { describeAgent } from '../sessions/describe-agent.ts';
import { isLive } from '../sessions/live-login.ts';

type Found = {
  id: string;
  auth_time: string;
  last_used_at: string;
  auth_method: MemberSession['method'];
  user_agent: string | null;
  client_id: string | null;
  client_name: string | null;
  total: number;
};

const MOST = 200;
/** A program has one for every token. */
const MOST_COUNTED = 1000;

/**
 * The live sessions of a member in this project, the last used first, at most 200. What the person does in other projects is theirs, and
 * so is the address they do it from. Throws 403, 404 and, for a removed member, 410.
 */
export async function listMemberSessions(ctx: Ctx, projectId: string, membershipId: string): Promise<MemberSessions> {
  const { loginId } = requireProjectAdmin(ctx, projectId);
  const member = await readMember(ctx, projectId, membershipId);
  const found = await db().execute<Found>(sql`
    select l.id, l.auth_time, l.last_used_at, l.auth_method, l.user_agent, l.client_id, a.content->>'name' as client_name, count(*) over ()::int as total
    from (select * from login n where n.project_id = ${projectId} and n.membership_id = ${member.id} order by n.last_used_at desc limit ${MOST_COUNTED}) l
    left join resource a on a.project_id = ${projectId} and a.type_id = ${typeId('ClientApplication')} and a.id = l.client_id and not a.deleted
    where l.project_id = ${projectId} and l.membership_id = ${member.id} and ${isLive(projectId)}
    order by l.last_used_at desc, l.id limit ${MOST}`);
  return { total: found[0]?.total ?? 0, rows: found.map((row) => toSession(row, loginId)) };
}

function toSession(row: Found, loginId: string | undefined): MemberSession {
  const client = row.client_id ? `ClientApplication/${row.client_id}` : undefined;
  return {
    id: row.id,
    startedAt: toInstant(row.auth_time),
    lastUsedAt: toInstant(row.last_used_at),
    method: row.auth_method,
    ...describeAgent(row.user_agent),
    client: client ? { reference: client, display: row.client_name ?? client } : null,
    current: row.id === loginId,
  };
}
