import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { bulkExport } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import type { ExportRequest } from '#lib/protocol/fhir/bulk/read-export-request.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { toAuthor } from '../sessions/author-of.ts';
import { findIds } from '../store/indexes/find-ids.ts';
import { countOpen, readHorizon } from './export-rows.ts';
import { exportedTypes } from './exported-types.ts';
import { groupMembers } from './group-members.ts';
import { filtersOf } from './piece-filter.ts';

/** Of a system, of all patients, or of those in a Group. */
export type ExportLevel = { of: 'system' } | { of: 'patients' } | { of: 'group'; id: string };

const LIVES_MS = 24 * 3_600_000;
/** That are being made at once. */
const MOST_OPEN = { all: 20, own: 5 };
const RETRY_SECONDS = 60;
const OFTEN = { limit: 100, windowSeconds: 3600, refusal: 'A hundred exports were asked for within the hour' };

/**
 * Notes that the caller wants an export (Bulk Data Access §3.1) of what they may search, as it is now; returns its id. It is planned when they ask how it
 * stands (read-export.ts). Throws 400 for what cannot be asked, 403 on behalf of somebody and where they may search nothing of it, and 429 past so many.
 */
export async function startExport(
  ctx: Ctx,
  level: ExportLevel,
  request: ExportRequest,
  address: string,
): Promise<string> {
  const actor = requireActor(ctx);
  // Its links outlive the session: what is behind them is read as who asked.
  if (actor.caller) throw new AppError('forbidden', 'An export is begun in one’s own name');
  const { projectId, membershipId } = actor;
  const isOfPatients = level.of !== 'system';
  const patientReach = isOfPatients ? reach(actor, 'Patient', 'search') : undefined;
  const inGroup = level.of === 'group' ? await groupMembers(actor, level.id) : undefined;
  const { since, elements, patients } = request;
  if (patients && !isOfPatients) throw bad('patient', 'patient is for exports of patients');
  const types = exportedTypes(actor, request, isOfPatients);
  const asked = {
    types,
    filters: request.filters.map(({ type, query }) => `${type}?${query}`),
    elements,
    ...(since && { since: since.toISOString() }),
  };
  await filtersOf(projectId, actor, asked);
  await throttle(`bulk-export:${membershipId}`, OFTEN.limit, OFTEN);
  const wanted = patients ? [...new Set(patients)].sort() : inGroup;
  const outside = patients?.find((id) => inGroup && !inGroup.includes(id));
  const found = wanted && patientReach ? await visible(projectId, patientReach, wanted) : undefined;
  const missing = outside ?? patients?.find((id) => !found?.includes(id));
  if (missing !== undefined) throw bad('patient', `Patient/${missing} is not there`);
  const id = newId();
  await write(ctx, async (w) => {
    await lockName(w.tx, `bulk-data:${projectId}`);
    const open = await countOpen(w.tx, projectId, membershipId);
    if (open.all >= MOST_OPEN.all || open.own >= MOST_OPEN.own) throw tooMany();
    const asOf = new Date();
    await w.tx.insert(bulkExport).values({
      ...{ ...toAuthor(actor), id, request: address, asked, asOf, members: found ?? null },
      horizon: await readHorizon(w.tx),
      place: { type: 0, batch: 0, after: '' },
      lookedAt: asOf,
      expiresAt: new Date(asOf.getTime() + LIVES_MS),
    });
    const about = level.of === 'group' ? { group: `Group/${level.id}` } : {};
    w.audit({ projectId, action: 'export.start', target: `Export/${id}`, after: { level: level.of, types, ...about } });
  });
  return id;
}

const TOGETHER = 1000;

async function visible(projectId: string, patientReach: ReturnType<typeof reach>, ids: string[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < ids.length; at += TOGETHER) {
    const anyOf = ids.slice(at, at + TOGETHER);
    const filter = { op: 'and' as const, args: [patientReach, { op: 'id' as const, anyOf }] };
    found.push(...(await findIds(projectId, { type: 'Patient', filter, after: '', to: null, most: TOGETHER })));
  }
  return found;
}

function tooMany(): AppError {
  return new AppError('too-many-requests', 'Too many exports are being made; wait for one, or cancel it', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

function bad(name: string, text: string): AppError {
  return new AppError('invalid', text, { expression: name });
}
