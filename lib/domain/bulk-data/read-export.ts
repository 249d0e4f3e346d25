import { notFound } from '#lib/base/errors.ts';
import type { BulkExportRow } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { throttle } from '../limits/throttle.ts';
import { findExport } from './export-rows.ts';
import { pieceUrl } from './piece-link.ts';
import { planExport } from './plan-export.ts';

export type ExportState = { progress: string } | { manifest: object; expiresAt: Date };

const OFTEN = { limit: 600, windowSeconds: 60, refusal: 'Ask how an export stands once a second, or less often' };

/** How an export stands, which is planned further by this (Bulk Data Access §3.1.5). Throws 404 for what is not the caller's own. */
export async function readExport(ctx: Ctx, id: string): Promise<ExportState> {
  const row = await requireOwnExport(ctx, id);
  await throttle(`bulk-status:${id}`, OFTEN.limit, OFTEN);
  const planned = await planExport(row);
  if (!planned) throw notFound();
  if (!planned.done) return { progress: progressOf(planned) };
  const output = planned.pieces.map(({ type, count }, at) => {
    return { type, url: pieceUrl(planned, at), ...(count !== null && { count }) };
  });
  const { asOf, request, expiresAt } = planned;
  const manifest = {
    transactionTime: asOf.toISOString(),
    request,
    requiresAccessToken: false,
    output,
    error: [],
  };
  return { manifest, expiresAt };
}

export async function requireOwnExport(ctx: Ctx, id: string): Promise<BulkExportRow> {
  const { projectId, membershipId, caller } = requireActor(ctx);
  const row = await findExport(projectId, id);
  if (row?.membershipId !== membershipId || caller) throw notFound();
  return row;
}

/** At most a hundred characters, as the specification has it. */
function progressOf({ types, place, pieces }: BulkExportRow): string {
  if (!types) return 'waiting for changes that are being made';
  return `${place.type} of ${types.length} types, ${pieces.length} files`;
}
