import { sql } from 'drizzle-orm';
import { AppError, ERRORS } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { InviteStatus } from '#lib/protocol/answers/invites.ts';
import { toOutcome } from '#lib/protocol/fhir/outcome.ts';
import { type InviteRequest, inviteRequest, toTemplate } from '#lib/protocol/requests/invite-member.ts';
import { toIssues } from '#lib/protocol/zod-issues.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { lockAddresses } from '../accounts/lock-addresses.ts';
import { write } from '../audit/write.ts';
import { lockAdmins } from '../memberships/guard-admins.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { inviteMember } from './invite-member.ts';

export type BatchResult = {
  /** 0-based, as in the request. */
  row: number;
  status: InviteStatus | 'error';
  httpStatus: number;
  membership?: { reference: string };
  link?: string;
  outcome?: ReturnType<typeof toOutcome>;
};
export type Batch = { total: number; succeeded: number; failed: number; dryRun: boolean; results: BatchResult[] };

type Parsed = InviteRequest | AppError;

/**
 * Invites one after the other, each all or nothing: one that fails leaves the others alone (contract §2.2). With `dryRun` all of it
 * happens in one transaction that is rolled back, so that the answer is the truth and nothing else remains.
 */
export async function inviteBatch(ctx: Ctx, projectId: string, rows: unknown[], dryRun: boolean): Promise<Batch> {
  const actor = requireProjectAdmin(ctx, projectId);
  const parsed = rows.map(parseInvite);
  // Once for all: a row by itself would only be told as failed.
  const makesAdmins = parsed.some((row) => !(row instanceof AppError) && toTemplate(row).admin === true);
  if (makesAdmins) await requireProof(actor);
  const results = dryRun ? await rehearse(ctx, projectId, parsed) : await inEarnest(ctx, projectId, parsed);
  const failed = results.filter(({ status }) => status === 'error').length;
  return { total: rows.length, succeeded: rows.length - failed, failed, dryRun, results };
}

/** Of one row: who sends a list that is wrong throughout needs no more of each. */
const MOST_ISSUES = 10;

/** One row of a list, or what is wrong with it. */
export function parseInvite(row: unknown): Parsed {
  const result = inviteRequest.safeParse(row);
  if (result.success) return result.data;
  return new AppError('invalid', 'Invalid invite', { issues: toIssues(result.error).slice(0, MOST_ISSUES) });
}

async function inEarnest(ctx: Ctx, projectId: string, rows: Parsed[]): Promise<BatchResult[]> {
  const results: BatchResult[] = [];
  for (const [index, row] of rows.entries()) results.push(await inviteOne(ctx, projectId, index, row));
  return results;
}

class Rehearsed extends Error {
  readonly results: BatchResult[];

  constructor(results: BatchResult[]) {
    super('rehearsed');
    this.results = results;
  }
}

async function rehearse(ctx: Ctx, projectId: string, rows: Parsed[]): Promise<BatchResult[]> {
  try {
    return await write(ctx, async (w, inside) => {
      await lockEverybody(w.tx, projectId, rows);
      const results: BatchResult[] = [];
      for (const [index, row] of rows.entries()) {
        await w.tx.execute(sql`savepoint invite`);
        const result = await inviteOne(inside, projectId, index, row);
        await w.tx.execute(
          result.status === 'error' ? sql`rollback to savepoint invite` : sql`release savepoint invite`,
        );
        // What is told about something that will not be there only misleads.
        results.push({
          row: result.row,
          // Nor whether somebody has an account elsewhere: that is told of who then is a member.
          status: result.status === 'existing-user' ? 'created' : result.status,
          httpStatus: result.httpStatus,
          outcome: result.outcome,
        });
      }
      throw new Rehearsed(results);
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.results;
    throw error;
  }
}

/** In the order that `lockName` asks for, since here one transaction needs them all. */
async function lockEverybody(tx: Queryable, projectId: string, rows: Parsed[]): Promise<void> {
  await lockAddresses(
    tx,
    rows.flatMap((row) => (row instanceof AppError || !row.email ? [] : [row.email])),
  );
  await lockAdmins(tx, projectId);
}

async function inviteOne(ctx: Ctx, projectId: string, index: number, row: Parsed): Promise<BatchResult> {
  try {
    if (row instanceof AppError) throw row;
    const { row: membership, status, link } = await inviteMember(ctx, projectId, row);
    const reference = `ProjectMembership/${membership.id}`;
    return { row: index, status, httpStatus: 200, membership: { reference }, ...(link !== undefined && { link }) };
  } catch (error) {
    const known = error instanceof AppError ? error : unexpected(ctx, error);
    return { row: index, status: 'error', httpStatus: ERRORS[known.code].status, outcome: toOutcome(known) };
  }
}

/** Our own fault in one row must not hide what became of the rows before it. */
function unexpected(ctx: Ctx, error: unknown): AppError {
  log.error({ requestId: ctx.requestId, err: error }, 'a row of a batch failed');
  return new AppError('exception', `Internal server error (request ${ctx.requestId})`, { cause: error });
}
