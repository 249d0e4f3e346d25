import { type SQL, sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isUuid } from '#lib/base/ids.ts';
import { toAuditEvent } from '#lib/protocol/audit/to-audit-event.ts';
import type { Actor } from '../../access/context.ts';
import { type FoundAudit, findAudit } from '../../audit/find-audit.ts';
import type { Row } from '../../store/row.ts';

/** The row of the audit log with this id, where the caller may see it. */
export async function findAuditEvent(actor: Actor, projectId: string, id: string): Promise<Row | undefined> {
  if (!isUuid(id)) return undefined;
  const also = [sql`e.id = ${id.toLowerCase()}::uuid`, ...seenBy(actor)];
  const [found] = await findAudit(projectId, { also }, 1);
  return found && toEventRow(projectId, found);
}

/**
 * Who is not an administrator is not told of what nobody signed in has done: failed sign-ins, links asked for. They would learn whether an
 * address has an account here by trying it.
 */
export function seenBy({ admin }: Actor): SQL[] {
  return admin ? [] : [sql`e.actor is not null or (e.outcome = 0 and e.action like 'login.%')`];
}

export function toEventRow(projectId: string, found: FoundAudit): Row {
  return {
    projectId,
    type: 'AuditEvent',
    id: found.id,
    version: 1,
    lastUpdated: new Date(found.at),
    deleted: false,
    author: null,
    meta: null,
    content: JSON.stringify(toAuditEvent(found, env().BASE_URL)),
  };
}
