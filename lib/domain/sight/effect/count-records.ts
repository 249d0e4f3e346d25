import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { runSql, transaction } from '#lib/infra/db/client.ts';
import { isTooSlow } from '#lib/infra/db/errors.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Counted } from '#lib/protocol/policies/answers.ts';
import { isSelective } from '../../store/compile-filter.ts';
import { requireRaised } from '../../store/indexes/raise-index.ts';
import { matching } from '../../store/search-rows.ts';

/** Records of a type that fit. */
export type Question = { type: string; expr: Expr };

/** `ms`: for all questions of one preview. `batch`: questions of one statement; one that takes too long is asked again in halves. `atOnce`: previews in one process. */
export const counting = { ms: 2500, batch: 24, atOnce: 2 };

let running = 0;

/**
 * How many records fit each question, at its place; null for what could not be counted in the time there is: never a wrong number. Those of
 * which everything fits come first, since each is a walk through a type.
 */
export async function countRecords(projectId: string, questions: readonly Question[]): Promise<Counted[]> {
  const counts: Counted[] = questions.map(() => null);
  if (running >= counting.atOnce) return counts;
  running += 1;
  try {
    const deadline = performance.now() + counting.ms;
    const all = await countable(questions);
    const [few, many] = [all.filter(({ expr }) => isSelective(expr)), all.filter(({ expr }) => !isSelective(expr))];
    // What is led by an index is counted in no time, a hundred of these before one that is not.
    const batches = [...inBatches(few, counting.batch), ...inBatches(many, 1)];
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const left = Math.floor(deadline - performance.now());
      if (left < 1) break;
      const found = await countBatch(projectId, batch, left);
      if (found) for (const [index, { at }] of batch.entries()) counts[at] = found[index] ?? null;
      else if (batch.length > 1) batches.push(...inBatches(batch, Math.ceil(batch.length / 2)));
    }
    return counts;
  } finally {
    running -= 1;
  }
}

function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** All of them in one statement, with a plan for these very values; undefined where that takes too long. */
async function countBatch(projectId: string, batch: readonly Question[], ms: number): Promise<number[] | undefined> {
  const counts = batch.map(({ type, expr }, at) => {
    const where = matching({ projectId, type, correlated: isSelective(expr) }, expr);
    return sql`(select count(*)::int from resource r where ${where}) as ${sql.raw(`n${at}`)}`;
  });
  try {
    const [row] = await transaction(async (tx) => {
      const limit = sql`set_config('statement_timeout', ${String(ms)}, true)`;
      await runSql(tx, sql`select ${limit}, set_config('plan_cache_mode', 'force_custom_plan', true)`);
      return runSql<Record<string, number>>(tx, sql`select ${sql.join(counts, sql.raw(', '))}`);
    });
    return row && batch.map((_, at) => row[`n${at}`]!);
  } catch (error) {
    if (isTooSlow(error)) return undefined;
    throw error;
  }
}

async function countable(questions: readonly Question[]): Promise<(Question & { at: number })[]> {
  const asked = questions.map((question, at) => ({ ...question, at })).filter(({ expr }) => isCountable(expr));
  const raised = await Promise.all(asked.map(({ expr }) => isRaised(expr)));
  return asked.filter((_, at) => raised[at]);
}

/** Whether all rows have the entries that it asks by. */
async function isRaised(filter: Expr): Promise<boolean> {
  try {
    await requireRaised({ filter, sort: [] });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return false;
    throw error;
  }
}

/** What asks other resources, or codes that stand elsewhere, is no part of a statement by itself. */
function isCountable(expr: Expr): boolean {
  if (expr.op === 'linked' || expr.op === 'concepts') return false;
  if (expr.op === 'and' || expr.op === 'or') return expr.args.every(isCountable);
  return expr.op !== 'not' || isCountable(expr.arg);
}
