import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { pace } from '#lib/base/pace.ts';
import { db, transaction } from '../client.ts';
import { PLACEMENT } from '../cluster/placement.ts';
import { ofProject } from '../server-role/of-project.ts';
import { isGuarded } from '../server-role/privileges.ts';
import { dropPeople } from './drop-person.ts';

const ROWS = 2000;
const PEOPLE = 200;

/** Who doubts that the project was there, and what was done in it, asks these. Their rows go as the settings say. */
const KEPT: readonly string[] = ['audit_chain', 'audit_event', 'audit_head', 'audit_seal'];
/** Of what stands in one place. */
const BESIDE = ['client_named_secret', 'client_secret', 'device_request', 'hl7_feed', 'one_time_link'] as const;
/** Where people are. */
const OF_PLACES = [
  ['user_project', 'project_id'],
  ['user_login', 'scope'],
] as const;

/** Last, since the accounts of a project are found by them. */
const LAST = ['resource', 'resource_history'];

/**
 * Drops every row of a project that is gone, but for its audit log, in steps that are short for everybody else, with pauses between them. Done again after
 * a process that was killed, it goes on. False when it was stopped before its end. `peopleOf`: next accounts of the project alone.
 */
export async function dropProject(
  projectId: string,
  peopleOf: (after: string, most: number) => Promise<string[]>,
  stopped?: AbortSignal,
): Promise<boolean> {
  for (let after = ''; ; ) {
    if (stopped?.aborted) return false;
    const people = await peopleOf(after, PEOPLE);
    if (people.length > 0) await dropPeople(db(), people);
    const last = people.at(-1);
    if (!last || people.length < PEOPLE) break;
    after = last;
  }
  for (const [table, column] of OF_PLACES)
    await db().execute(sql`delete from ${sql.identifier(table)} where ${sql.identifier(column)} = ${projectId}::uuid`);
  const spread = Object.keys(PLACEMENT).filter((name) => PLACEMENT[name as keyof typeof PLACEMENT] === 'distributed');
  const first = spread.filter((name) => !KEPT.includes(name) && !LAST.includes(name));
  for (const table of [...BESIDE, ...first, ...LAST]) if (!(await dropRows(table, projectId, stopped))) return false;
  return true;
}

/** By their places: some tables have no key. */
async function dropRows(table: string, projectId: string, stopped: AbortSignal | undefined): Promise<boolean> {
  const name = sql.identifier(table);
  for (let last = ROWS; last >= ROWS; ) {
    if (stopped?.aborted) return false;
    const some = sql`
      delete from ${name} t where t.project_id = ${projectId}::uuid and t.ctid = any(array(
        select x.ctid from ${name} x where x.project_id = ${projectId}::uuid limit ${ROWS})) returning 1`;
    const gone = await (isGuarded(table)
      ? transaction((tx) => ofProject(projectId, tx, (q) => q.execute(some)))
      : db().execute(some));
    last = gone.length;
    if (last >= ROWS) await pause(pace.sweepPauseMs);
  }
  return true;
}
