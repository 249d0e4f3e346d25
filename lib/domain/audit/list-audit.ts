import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { AuditPage, AuditRow } from '#lib/protocol/answers/audit.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import type { AuditQuery } from '#lib/protocol/requests/audit.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { type FoundAudit, findAudit } from './find-audit.ts';
import { type Names, named, resolveNames } from './resolve-names.ts';

/** What changed in the project, newest first, with the names of everybody and everything concerned. For administrators. */
export async function listAudit(ctx: Ctx, projectId: string, query: AuditQuery): Promise<AuditPage> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const found = await findAudit(projectId, query, query._count + 1);
  const rows = found.slice(0, query._count);
  const inside = rows.flatMap((row) => [...referencesIn(row.before), ...referencesIn(row.after)]);
  const parties = rows.flatMap((row) => [row.actor, row.target, row.on_behalf_of]);
  const names = await resolveNames(projectId, [...parties, ...inside]);
  const last = found.length > query._count ? rows.at(-1) : undefined;
  return {
    rows: rows.map((row) => toAuditRow(row, names)),
    names: Object.fromEntries(inside.flatMap((reference) => nameEntry(names, reference))),
    next: last ? formatCursor({ at: new Date(last.at), id: last.id }) : null,
  };
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

function toAuditRow(row: FoundAudit, names: Names): AuditRow {
  const { id, action, before, after } = row;
  return {
    id,
    at: toInstant(row.at),
    action,
    actor: named(names, row.actor) ?? { reference: null, display: null },
    onBehalfOf: named(names, row.on_behalf_of),
    target: named(names, row.target) ?? { reference: null, display: null },
    outcome: row.outcome === 0 ? 'success' : 'failure',
    before,
    after,
    requestId: row.request_id,
    remoteAddress: row.remote_address,
  };
}
