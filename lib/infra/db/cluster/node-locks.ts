import { type Pending, pendingOf } from '../pending.ts';
import { CALL } from './at-home.ts';
import { NOT_THERE } from './homes.ts';

/** The lock that a shard is moved or split under, taken at the coordinator until the transaction ends. */
const LOCK = `select lock_shard_metadata(5, array[get_shard_id_for_distribution_column('resource', $1::uuid)])`;

/** To lock rows `for update` takes none of a shard. */
const CHANGES = /\b(insert\s+into|(?<!\bfor\s)(?<!\bkey\s)update|delete\s+from)\b/i;
const SELECTS_FOR = /^\s*select\b/i;
const GIVES_BACK = /^\s*rollback\s+to\b/i;
const NAMED = /\bproject_id"?\s*=\s*\$(\d+)/i;
/** Its project is the first of what it inserts. */
const FIRST = /^\s*insert\s+into\s+"?\w+"?\s*\(\s*"?project_id\b[^)]*\)\s*values\s*\(\s*\$1\b/i;

/** An open transaction: what sends a statement of it, and the projects whose shards it has locked at the coordinator. */
type Open = { send: (text: string, params: unknown[]) => Pending; locked: Set<string> };

/**
 * A statement of a transaction. What is done at a node must have the shard locked, and first at the coordinator: whoever moves it takes the
 * lock there before that of the nodes, where any further change of the transaction asks for it, and the two would wait for each other. A
 * change by way of the coordinator takes it; before all else it is asked for, in the same round trip. `params` is the array that is sent.
 */
export function lockedFirst(text: string, params: unknown[], { send, locked }: Open): Pending {
  if (GIVES_BACK.test(text)) locked.clear();
  if (text !== CALL) {
    const changed = changedBy(text, params);
    if (changed) locked.add(changed);
    return send(text, params);
  }
  params[params.length - 1] = false;
  const project = String(params[0]);
  if (locked.has(project)) return send(text, params);
  locked.add(project);
  return pendingOf(async (shape) => {
    const locking = send(LOCK, [project]);
    const isLocked = Promise.resolve(locking);
    isLocked.catch(() => undefined);
    try {
      return await shape(send(text, params));
    } catch (error) {
      // The first failure of a transaction is the one that says why.
      await isLocked;
      throw error;
    }
  });
}

function changedBy(text: string, params: readonly unknown[]): string | undefined {
  if (!CHANGES.test(text) || SELECTS_FOR.test(text) || NOT_THERE.test(text)) return undefined;
  const at = FIRST.test(text) ? 1 : Number(NAMED.exec(text)?.[1] ?? 0);
  return at > 0 ? String(params[at - 1]) : undefined;
}
