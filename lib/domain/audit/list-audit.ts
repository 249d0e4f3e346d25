import { and, eq, gt, gte, like, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import type { AuditPage, AuditRow } from '#lib/protocol/answers/audit.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import type { AuditQuery } from '#lib/protocol/requests/audit.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { type Names, named, resolveNames } from './resolve-names.ts';

/** What changed in the project, newest first, with the names of everybody and everything concerned. For administrators. */
export async function listAudit(ctx: Ctx, projectId: string, query: AuditQuery): Promise<AuditPage> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const found = await db()
    .select()
    .from(auditEvent)
    .where(and(eq(auditEvent.projectId, projectId), ...conditions(query)))
    // As the index has it.
    .orderBy(sql`${auditEvent.at} desc nulls last`, auditEvent.id)
    .limit(query._count + 1);
  const rows = found.slice(0, query._count);
  const inside = rows.flatMap((row) => [...referencesIn(row.before), ...referencesIn(row.after)]);
  const parties = rows.flatMap((row) => [row.actor, row.target, row.onBehalfOf]);
  const names = await resolveNames(projectId, [...parties, ...inside]);
  const last = found.length > query._count ? rows.at(-1) : undefined;
  return {
    rows: rows.map((row) => toAuditRow(row, names)),
    names: Object.fromEntries(inside.flatMap((reference) => nameEntry(names, reference))),
    next: last ? formatCursor(last) : null,
  };
}

function conditions({ actor, target, action, outcome, from, to, cursor }: AuditQuery): (SQL | undefined)[] {
  return [
    ...(actor ? [eq(auditEvent.actor, actor)] : []),
    ...(target ? [or(...target.map(matchesTarget))] : []),
    ...(action ? [or(...action.split(',').map(matchesAction))] : []),
    ...(outcome ? [outcome === 'success' ? eq(auditEvent.outcome, 0) : ne(auditEvent.outcome, 0)] : []),
    ...(from ? [gte(auditEvent.at, from)] : []),
    ...(to ? [lt(auditEvent.at, to)] : []),
    ...(cursor
      ? [or(lt(auditEvent.at, cursor.at), and(eq(auditEvent.at, cursor.at), gt(auditEvent.id, cursor.id)))]
      : []),
  ];
}

/** A type as a target is that of a search. */
function matchesTarget(name: string): SQL | undefined {
  const same = eq(auditEvent.target, name);
  return name.includes('/') ? same : or(same, like(auditEvent.target, `${name}/%`));
}

function matchesAction(name: string): SQL {
  if (!name.endsWith('.*')) return eq(auditEvent.action, name);
  return like(auditEvent.action, `${name.slice(0, -1).replace(/[\\%_]/g, '\\$&')}%`);
}

const REFERENCE = /^[A-Z][A-Za-z]+\/[A-Za-z0-9\-.]{1,64}$/;

function referencesIn(value: unknown): string[] {
  if (typeof value === 'string') return REFERENCE.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}

function nameEntry(names: Names, reference: string): [string, string][] {
  const name = names.get(reference);
  return name === undefined ? [] : [[reference, name]];
}

function toAuditRow(row: typeof auditEvent.$inferSelect, names: Names): AuditRow {
  const { id, action, before, after, requestId, remoteAddress } = row;
  return {
    id,
    at: row.at.toISOString(),
    action,
    actor: named(names, row.actor) ?? { reference: null, display: null },
    onBehalfOf: named(names, row.onBehalfOf),
    target: named(names, row.target) ?? { reference: null, display: null },
    outcome: row.outcome === 0 ? 'success' : 'failure',
    before,
    after,
    requestId,
    remoteAddress,
  };
}
