import type { SQL } from 'drizzle-orm';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';

/**
 * A selective token tells its project, which the planner does not know: it would read the whole project's index besides. Named so often, the
 * project seems to leave too many rows to be worth that (data.md, planner lesson 1). By equality all the same: on a cluster it tells the node.
 */
const TIMES_NAMED = 8;

export function isNamedOften(column: SQL, projectId: string): SQL {
  return isAnyUuidOf(column, Array<string>(TIMES_NAMED).fill(projectId));
}
