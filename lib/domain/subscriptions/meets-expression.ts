import { LRUCache } from 'lru-cache';
import { AppError } from '#lib/base/errors.ts';
import { askNow } from '#lib/infra/fhirpath/ask.ts';
import { Later } from '#lib/infra/jobs/put-off.ts';
import type { Actor } from '../access/context.ts';
import { shownVersions } from '../rest/shown.ts';
import type { Feed } from '../store/feeds/read-subscription.ts';
import { findVersion } from '../store/find-history.ts';
import { type Row, toWire } from '../store/row.ts';
import type { Delivery } from './delivery.ts';

/** One after the other, of one expression: each keeps all others of the project waiting for seconds. */
const MOST_SLOW = 3;
const slow = new LRUCache<string, number>({ max: 1000 });

/**
 * Whether the transition is one that a subscription waits for, by its expression over `%previous` and `%current`: as the peer has it, the version before
 * this one, which a creation has not, and this one, which a deletion has not. Undefined where that cannot be judged: it took too long,
 * is no FHIRPath, comes to no boolean, or the version before is not kept any more; `too slow` where it took too long so often that nothing else of its project has a turn.
 * Throws `Later` where it was not asked, since another expression of the project took too long just now.
 */
export async function meetsExpression(
  { projectId, subscriptionId, type, id, version, op }: Delivery,
  { actor, row, feed }: { actor: Actor; row: Row; feed: Feed },
): Promise<boolean | undefined | 'too slow'> {
  const { expression } = feed;
  if (expression === undefined) return true;
  const before = op === 'update' ? await findVersion(projectId, type, id, Number(version) - 1) : undefined;
  if (op === 'update' && !before) return undefined;
  const previous =
    op === 'delete'
      ? row
      : before && before.op !== 'delete'
        ? (await shownVersions(actor, [before], 'unknown'))[0]
        : undefined;
  const parts = { previous, current: op === 'delete' ? undefined : row };
  const text = `{${Object.entries(parts)
    .flatMap(([name, part]) => (part ? [`"${name}":${toWire(part, false)}`] : []))
    .join()}}`;
  const at = [op === 'delete' ? 'previous' : 'current'];
  const question = { at, path: type, expression, wants: 'decision' as const, variables: ['previous', 'current'] };
  const [answer] = await askNow(projectId, text, [question]).catch(later);
  if (answer === 'unknown') return isTooOften(`${subscriptionId} ${expression}`) ? 'too slow' : undefined;
  slow.delete(`${subscriptionId} ${expression}`);
  return answer === 'true' || (answer === 'false' || answer === 'empty' ? false : undefined);
}

/** Who sets it right, or switches it on as it is, begins anew. */
function isTooOften(name: string): boolean {
  const times = (slow.get(name) ?? 0) + 1;
  if (times < MOST_SLOW) slow.set(name, times);
  else slow.delete(name);
  return times >= MOST_SLOW;
}

function later(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'too-many-requests') throw error;
  throw new Later(new Date(Date.now() + 1000 * (error.options.retryAfterSeconds ?? 1)));
}
