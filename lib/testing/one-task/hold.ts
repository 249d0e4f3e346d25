import postgres from 'postgres';
import { EXCEPTIONS as OF_NO_PROJECT } from '../one-project/exceptions.ts';
import type { NotedStatement } from '../set-up/noted-statements.ts';
import { tasksOf } from './tasks-of.ts';

/** What PostgreSQL plans; the rest of what is sent is for the connection itself. */
const PLANNED = /^\s*(with|select|insert|update|delete)\b/i;

/** undefined_table: a test's own, which went with it. */
const GONE = '42P01';

/** Dates too are texts in a sample, such as -infinity. */
const AS_SENT = { to: 1184, from: [1082, 1114, 1184], serialize: String, parse: String };

/**
 * Asks the cluster how it does what the suite has sent to it, and throws with every statement that is one project's and more than one task of one
 * node.
 */
export async function holdToOneTask(url: string, statements: readonly NotedStatement[]): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined, types: { date: AS_SENT } });
  const wrong: string[] = [];
  for (const { text, sample } of statements.filter((one) => PLANNED.test(one.text))) {
    const said = await explain(sql, text, sample);
    const line = text.replace(/\s+/g, ' ').trim();
    if (said !== undefined && !OF_NO_PROJECT.some(({ of }) => of.test(line))) wrong.push(`${said}: ${line}`);
  }
  await sql.end();
  if (wrong.length === 0) return;
  const text = 'Each statement is one task on a cluster (lib/testing/one-task/tasks-of.ts)';
  throw new Error(`${text}:\n${wrong.sort().join('\n')}`);
}

async function explain(sql: postgres.Sql, text: string, sample: NotedStatement['sample']): Promise<string | undefined> {
  try {
    const rows = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain ${text}`, sample);
    return tasksOf(rows.map((row) => row['QUERY PLAN']).join('\n'));
  } catch (error) {
    if ((error as postgres.PostgresError).code === GONE) return undefined;
    return `refused (${(error as Error).message})`;
  }
}
