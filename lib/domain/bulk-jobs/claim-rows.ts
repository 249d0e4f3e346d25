import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { InviteRequest } from '#lib/protocol/requests/invite-member.ts';
import { LANES, openInvite } from './rows.ts';
import type { BulkJobRow, BulkRow, ClaimedRow, DoneRow } from './run-row.ts';

/**
 * The lane's next rows that nobody else is at, locked until the end of the transaction: one, or so many of new people at most as may be
 * done side by side in it.
 */
export async function claimRows(
  { projectId, id: jobId }: BulkJobRow,
  lane: number,
  q: Pick<Queryable, 'select'>,
  most = 1,
): Promise<ClaimedRow[]> {
  const rows = await q
    .select()
    .from(bulkJobRow)
    .where(
      and(
        eq(bulkJobRow.projectId, projectId),
        eq(bulkJobRow.jobId, jobId),
        // Written out: with a parameter the plan could not use the index of waiting rows.
        sql`${bulkJobRow.state} = 'waiting'`,
        // What `who` ends with is the address: "Ann Lee <ann@example.com>".
        sql`coalesce(${bulkJobRow.lane}, hashtextextended(substring(${bulkJobRow.who} from '[^<]*$'), 0) & ${LANES - 1}) = ${lane}`,
        // Emptied by a cancel that committed between our snapshot and the lock.
        sql`(${bulkJobRow.membershipId} is not null or ${bulkJobRow.inputSealed} is not null)`,
        // Cancelled meanwhile: what has not begun stays undone.
        sql`exists (select 1 from bulk_job j where j.project_id = ${projectId} and j.id = ${jobId} and j.state = 'running')`,
      ),
    )
    .orderBy(bulkJobRow.number)
    .limit(most)
    .for('update', { skipLocked: true });
  if (most === 1) return rows.map((row) => ({ row }));
  const people = new Set<string>();
  const claimed: ClaimedRow[] = [];
  for (const row of rows) {
    const invite = openNew(row);
    const person = invite?.email;
    const isApart = person !== undefined && !people.has(person);
    if (isApart || claimed.length === 0) claimed.push({ row, invite });
    if (!isApart) break;
    people.add(person);
  }
  return claimed;
}

/**
 * A row that only brings in somebody who is not there yet, by their address: what it looks at is then nobody else's, but for the profile
 * (`requireApart`), and locks, which the rows of one transaction hold together, need not keep them apart.
 */
function openNew(row: BulkRow): InviteRequest | undefined {
  if (row.inputSealed === null) return undefined;
  try {
    const invite = openInvite(row);
    const isNew = !invite.upsert && !invite.forceNewMembership && invite.externalId === undefined;
    return isNew ? invite : undefined;
  } catch {
    // Alone it fails with its reason.
    return undefined;
  }
}

/** Throws when two rows of one transaction came to stand on one profile: each has looked before the other was there. */
export function requireApart(done: readonly DoneRow[]): void {
  const profiles = done.flatMap(({ profile }) => profile ?? []);
  if (new Set(profiles).size < profiles.length) throw new AppError('conflict', 'Two rows stand on one profile');
}

const DONE = `update bulk_job_row r
  set state = 'done', input_sealed = null, outcome = d.outcome, membership_id = coalesce(d.membership_id, r.membership_id)
  from unnest($3::int[], $4::text[], $5::uuid[]) as d (number, outcome, membership_id)
  where r.project_id = $1::uuid and r.job_id = $2::uuid and r.number = d.number`;

export async function noteDone(tx: Queryable, job: BulkJobRow, done: readonly DoneRow[]): Promise<void> {
  const column = (of: (row: DoneRow) => string | undefined) => toTextArray(done.map((row) => of(row) ?? null));
  await runText(tx, DONE, [
    job.projectId,
    job.id,
    column(({ number }) => String(number)),
    column(({ outcome }) => outcome),
    column(({ membershipId }) => membershipId),
  ]);
}

/** What the verb refused is the row's result. */
export async function noteFailure(job: BulkJobRow, { row }: ClaimedRow, error: unknown): Promise<void> {
  const known = error instanceof AppError ? error : undefined;
  const [issue] = known?.issues ?? [];
  await db()
    .update(bulkJobRow)
    .set({
      state: 'failed',
      inputSealed: null,
      outcome: known?.code ?? 'exception',
      field: issue?.expression,
      message: known
        ? known.issues
            .map(({ text }) => text)
            .join('; ')
            .slice(0, 1000)
        : `Internal server error (request ${job.requestId})`,
    })
    .where(
      and(
        eq(bulkJobRow.projectId, row.projectId),
        eq(bulkJobRow.jobId, row.jobId),
        eq(bulkJobRow.number, row.number),
        eq(bulkJobRow.state, 'waiting'),
      ),
    );
  if (!known) log.error({ requestId: job.requestId, err: error }, 'a row of a bulk job failed');
}
