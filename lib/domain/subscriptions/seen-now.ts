import type { Actor } from '../access/context.ts';
import { hasFields } from '../access/fields.ts';
import { reach } from '../access/policy.ts';
import { shownVersions } from '../rest/shown.ts';
import { findRow } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { isWithin, judgeable } from '../store/within-reach.ts';

/**
 * A version as who is told of it may see it, judged by itself and, since it is told later, by what the resource is now: nothing of what has
 * become closed to them meanwhile. Undefined where they may not. Throws 403 when no rule speaks of the type.
 */
export async function seenNow(actor: Actor, row: Row): Promise<Row | undefined> {
  const { projectId, type, id } = row;
  const within = reach(actor, type, 'read');
  if (within.op === 'all' && !hasFields(actor, type)) return (await shownVersions(actor, [row], row))[0];
  if (!(await isWithin(within, row))) return undefined;
  const current = await findRow(projectId, type, id);
  if (!current) return undefined;
  const now = current.version === row.version ? row : await judgeable(current);
  if (now !== row && !(await isWithin(within, now))) return undefined;
  return (await shownVersions(actor, [row], now))[0];
}
