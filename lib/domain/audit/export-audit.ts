import { env } from '#lib/base/env.ts';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import { toAuditEvent } from '#lib/protocol/audit/to-audit-event.ts';
import type { AuditExportQuery } from '#lib/protocol/requests/audit.ts';
import { toCsvRows } from '#lib/protocol/to-csv.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { type FoundAudit, findAudit } from './find-audit.ts';
import { named, resolveNames } from './resolve-names.ts';
import { write } from './write.ts';

/** Three names to a row, of a thousand that are looked for at once. */
const NAMED_ROWS = 300;
const ROWS = 1000;

const HEADER = [
  'time',
  'action',
  'outcome',
  'actor',
  'actor name',
  'on behalf of',
  'on behalf of name',
  'target',
  'target name',
  'address',
  'request id',
  'id',
];

/**
 * The audit log that the filters leave, newest first, piece by piece as it is read: as CSV with names, or as AuditEvents, one a line. That
 * somebody took it stands in the log first. For administrators.
 */
export async function exportAudit(
  ctx: Ctx,
  projectId: string,
  { format, ...filter }: AuditExportQuery,
): Promise<AsyncGenerator<string>> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  await write(ctx, async (w) => {
    const after = { format, ...filter };
    w.audit({ projectId, action: 'audit.export', target: `Project/${projectId}`, after });
  });
  return format === 'csv' ? csvOf(projectId, filter) : eventsOf(projectId, filter);
}

type Filters = Omit<AuditExportQuery, 'format'>;

async function* csvOf(projectId: string, filter: Filters): AsyncGenerator<string> {
  yield toCsvRows([HEADER]);
  for await (const rows of batches(projectId, filter, NAMED_ROWS)) {
    const names = await resolveNames(
      projectId,
      rows.flatMap((row) => [row.actor, row.target, row.on_behalf_of]),
    );
    const both = (reference: string | null) => [reference, named(names, reference)?.display];
    yield toCsvRows(
      rows.map((row) => [
        toInstant(row.at),
        row.action,
        row.outcome === 0 ? 'success' : 'failure',
        ...both(row.actor),
        ...both(row.on_behalf_of),
        ...both(row.target),
        row.remote_address,
        row.request_id,
        row.id,
      ]),
    );
  }
}

async function* eventsOf(projectId: string, filter: Filters): AsyncGenerator<string> {
  const site = env().BASE_URL;
  for await (const rows of batches(projectId, filter, ROWS)) {
    const lines = rows.map((row) => {
      const meta = { versionId: '1', lastUpdated: toInstant(row.at) };
      return `${JSON.stringify({ resourceType: 'AuditEvent', id: row.id, meta, ...toAuditEvent(row, site) })}\n`;
    });
    yield lines.join('');
  }
}

/** The next is read when the one before was taken. */
async function* batches(projectId: string, filter: Filters, size: number): AsyncGenerator<FoundAudit[]> {
  let cursor: { at: Date; id: string } | undefined;
  while (true) {
    const rows = await findAudit(projectId, { ...filter, cursor }, size);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < size) return;
    cursor = { at: new Date(last.at), id: last.id };
  }
}
