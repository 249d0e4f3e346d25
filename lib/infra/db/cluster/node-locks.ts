import { CALL } from './at-home.ts';
import { NOT_THERE } from './homes.ts';

const CHANGES = /\b(insert\s+into|update|delete\s+from)\b/i;
const GIVES_BACK = /^\s*rollback\s+to\b/i;
const SELECTS_FOR = /^\s*select\b/i;
const NAMED = /\bproject_id"?\s*=\s*\$(\d+)/i;
/** Its project is the first of what it inserts. */
const FIRST = /^\s*insert\s+into\s+"?\w+"?\s*\(\s*"?project_id\b[^)]*\)\s*values\s*\(\s*\$1\b/i;

/**
 * The parameters of the next statement of a transaction, which keeps in `locked` what it holds. A change by way of the coordinator locks the
 * project's shards there until the transaction ends, so nobody moves or splits them: what is then done at the node must not ask for the
 * lock there as well. Whoever moves a shard takes the nodes' first and the coordinator's after it, and the two would wait for each other.
 */
export function lockingOnce<P>(text: string, params: readonly P[], locked: Set<string>): P[] {
  if (text === CALL) return [...params.slice(0, -1), !locked.has(String(params[0])) as P];
  if (GIVES_BACK.test(text)) locked.clear();
  const project = lockedBy(text, params);
  if (project) locked.add(project);
  return [...params];
}

function lockedBy(text: string, params: readonly unknown[]): string | undefined {
  if (!CHANGES.test(text) || SELECTS_FOR.test(text) || NOT_THERE.test(text)) return undefined;
  const at = FIRST.test(text) ? 1 : Number(NAMED.exec(text)?.[1] ?? 0);
  return at > 0 ? String(params[at - 1]) : undefined;
}
