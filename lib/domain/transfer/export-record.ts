import { AppError } from '#lib/base/errors.ts';
import { compartmentTypes } from '#lib/protocol/fhir/index/compartments.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireAll } from '../access/has-all.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { readMember } from '../memberships/read-member.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { toResource, toWire } from '../store/row.ts';
import { searchRows } from '../store/search-rows.ts';
import { requireStanding } from './require-standing.ts';

const PAGE = 200;
const PAGE_BYTES = 4 * 1024 * 1024;
const OFTEN = { limit: 100, windowSeconds: 3600, refusal: 'A hundred records were exported within the hour' };

/**
 * The record of a patient who is a member, for whom it is about: every resource of their compartment as it is now, a line of JSON each, piece by piece as
 * it is read. For administrators whom no policy limits, with a proof; that it was taken stands in the audit log first. Throws 403, 404, 410 for a
 * member who was removed, 409 for one who is no patient, and 429 past a hundred an hour.
 */
export async function exportRecord(ctx: Ctx, projectId: string, membershipId: string): Promise<AsyncGenerator<string>> {
  const actor = requireProjectAdmin(ctx, projectId);
  const member = await readMember(ctx, projectId, membershipId);
  requireAll(actor, 'exports records');
  const { reference = '' } = toResource<ProjectMembership>(member).profile;
  if (!reference.startsWith('Patient/'))
    throw new AppError('conflict', 'This member is no patient: only a patient has a record', { expression: 'profile' });
  await requireProof(actor);
  await throttle(`export-record:${projectId}`, OFTEN.limit, OFTEN);
  const target = `ProjectMembership/${membershipId.toLowerCase()}`;
  await write(ctx, async (w) =>
    w.audit({ projectId, action: 'membership.export', target, after: { record: reference } }),
  );
  return linesOf(actor, projectId, reference);
}

async function* linesOf(actor: Actor, projectId: string, patient: string): AsyncGenerator<string> {
  for (const type of compartmentTypes('Patient')) {
    let cursor: string | undefined;
    do {
      await requireStanding(actor);
      const query = parseSearch(type, [['_compartment', patient]], projectId);
      const page = { ...query, count: PAGE, cursor, mostBytes: PAGE_BYTES, sort: [] };
      const { rows, next } = await searchRows(projectId, page, { op: 'all' });
      if (rows.length > 0) yield rows.map((row) => `${toWire(row, true)}\n`).join('');
      cursor = next;
    } while (cursor);
  }
}
