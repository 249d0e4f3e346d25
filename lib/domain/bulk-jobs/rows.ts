import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type BulkJobRequest, MOST_MEMBERS } from '#lib/protocol/requests/bulk-job.ts';
import { type InviteRequest, toTemplate } from '#lib/protocol/requests/invite-member.ts';
import { splitOwn } from '../invites/member-status.ts';
import { searchRows } from '../store/search-rows.ts';
import { SEALED } from './sealed.ts';

export type BulkRowInput = typeof bulkJobRow.$inferInsert;
type Sealed = { jobId: string; number: number; invite: InviteRequest };

/** Rows of one job that are under way at once in one process, each in its lane. A power of two (`claimRows`). */
export const LANES = 8;

const PURPOSE = SEALED.bulk_job_row.purpose;

/** The rows of a new job, numbered as the request says, or else from 0. Throws 400 for a search that is wrong or finds too many. */
export async function toBulkRows(
  tx: Queryable,
  projectId: string,
  jobId: string,
  request: BulkJobRequest,
): Promise<BulkRowInput[]> {
  if (request.kind === 'invite') {
    const lanes = toLanes(request.rows);
    return request.rows.map((invite, at) => {
      const number = (request.numbers?.[at] ?? at + 1) - 1;
      const inputSealed = seal(PURPOSE, JSON.stringify({ jobId, number, invite } satisfies Sealed));
      return { projectId, jobId, number, who: nameOf(invite), inputSealed, lane: lanes[at] };
    });
  }
  const members = request.members ?? (await searchMembers(tx, projectId, request.search ?? ''));
  const names = await findNames(tx, projectId, members);
  return [...new Set(members.map((id) => id.toLowerCase()))].map((membershipId, number) => {
    return { projectId, jobId, number, who: names.get(membershipId) ?? membershipId, membershipId };
  });
}

/** It carries its job and number, so that one put elsewhere does not open. */
export function openInvite(row: { jobId: string; number: number; inputSealed: string | null }): InviteRequest {
  const { jobId, number, invite } = JSON.parse(unseal(PURPOSE, row.inputSealed ?? '')) as Sealed;
  if (jobId !== row.jobId || number !== row.number) throw new Error('The input of a bulk job stands in the wrong row');
  return invite;
}

/** One for all rows that share an address, an externalId or a profile, also by way of others: they are one person's, or one of them is refused. */
function toLanes(rows: readonly InviteRequest[]): number[] {
  const before = new Map<string, number>();
  const first = rows.map((_, at) => at);
  const firstOf = (at: number): number => (first[at] === at ? at : firstOf(first[at]!));
  rows.forEach(({ email, externalId, membership }, at) => {
    const names = { email: email?.toLowerCase(), externalId, profile: membership?.profile?.reference };
    for (const [kind, name] of Object.entries(names)) {
      if (name === undefined) continue;
      const key = `${kind} ${name}`;
      const [one, other] = [firstOf(before.get(key) ?? at), firstOf(at)];
      first[Math.max(one, other)] = Math.min(one, other);
      before.set(key, at);
    }
  });
  return rows.map((_, at) => firstOf(at) % LANES);
}

function nameOf({ firstName, lastName, email, externalId }: InviteRequest): string {
  return `${firstName} ${lastName} <${email ?? externalId ?? ''}>`;
}

async function searchMembers(tx: Queryable, projectId: string, search: string): Promise<string[]> {
  const { params, also } = splitOwn(projectId, 'ProjectMembership', [...new URLSearchParams(search)]);
  const query = parseSearch('ProjectMembership', params, projectId, { baseUrl: fhirBase() });
  const page = {
    ...query,
    count: MOST_MEMBERS,
    offset: 0,
    sort: [],
    cursor: undefined,
    total: 'none',
    summary: undefined,
  } as const;
  const { rows, next } = await searchRows(projectId, { ...page, sort: [], also }, { op: 'all' }, tx);
  const problem = next
    ? `The search finds more than ${MOST_MEMBERS}`
    : rows.length === 0
      ? 'The search finds nobody'
      : '';
  if (problem) throw new AppError('invalid', problem, { expression: 'search' });
  return rows.map((row) => row.id);
}

async function findNames(tx: Queryable, projectId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx.execute<{ id: string; name: string | null; login: string | null }>(sql`
    select id, content->'profile'->>'display' as name, content->'user'->>'display' as login from resource
    where project_id = ${projectId} and type_id = ${typeId('ProjectMembership')} and id = any(${toTextArray(ids)}::text[]) and not deleted`);
  return new Map(
    rows.map(({ id, name, login }) => [id, !name || name === login ? (login ?? id) : `${name} <${login}>`]),
  );
}

/** Whether it makes or unmakes administrators: that is asked of who starts it, once, and not of each row later. */
export async function touchesAdmins(
  tx: Queryable,
  projectId: string,
  request: BulkJobRequest,
  rows: readonly BulkRowInput[],
): Promise<boolean> {
  if (request.kind === 'invite') return request.rows.some((row) => toTemplate(row).admin === true);
  if (request.kind === 'resend') return false;
  if (request.kind === 'promote') return true;
  const ids = toTextArray(rows.map(({ membershipId }) => membershipId ?? null));
  const found = await tx.execute(sql`
    select from membership_key where project_id = ${projectId} and membership_id = any(${ids}::uuid[]) and admin limit 1`);
  return found.length > 0;
}
