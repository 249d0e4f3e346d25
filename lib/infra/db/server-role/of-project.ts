import { type Queryable, runText, transactionOn } from '../client.ts';

const NAME = "select set_config('gatehouse.project', $1, true)";

/**
 * Work on a table with row-level security (RLS in privileges.ts): PostgreSQL shows the server's role the rows of the project that its transaction
 * has named, and lets it write no other, whatever the statements say. In `tx`, or in a transaction of its own, which is one to read in.
 */
export async function ofProject<T>(
  projectId: string,
  tx: Queryable | undefined,
  work: (tx: Queryable) => PromiseLike<T>,
): Promise<T> {
  if (!tx) return transactionOn('transactions', (own) => ofProject(projectId, own, work));
  await runText(tx, NAME, [projectId]);
  return work(tx);
}
