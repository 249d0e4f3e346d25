import type postgres from 'postgres';
import { toTextArray } from '../text-array.ts';
import { beforeShards } from './on-shards.ts';
import { PLACEMENT } from './placement.ts';

/** A statement as it is to be sent; whether it gives a row. */
export type Sending = { text: string; params: unknown[]; answers: boolean };

/** Of a cluster: whether statements can be given to the node that has their project. */
let isPossible = false;

/** Looks whether the database can do it (home-function.ts), and says so; until then, and on one server, statements are sent as they are. */
export async function lookForHomes(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select to_regproc('do_at_node') is not null as found`;
  isPossible = row?.found ?? false;
  return isPossible;
}

/**
 * A statement that inserts rows of a project beside others, or from what it selects, as the call that does it on the node that has them:
 * else Citus does each insert by itself, by way of the coordinator (citusdata/citus#3948). Its project is its first parameter, and it
 * gives one row at most; house rules and the suite hold that (lib/testing/one-project/). Undefined where it is to be sent as it is.
 */
export function atHome({ text, params, answers }: Sending): Sending | undefined {
  if (!isPossible || !isForHome(text)) return undefined;
  return { text: CALL, params: [params[0], text, toTextArray(params.map(toText)), answers, true], answers: true };
}

/** With the project as its first parameter. */
export const CALL = 'select do_at_node($1::uuid, $2, $3::text[], $4::boolean, $5::boolean) as done';

/** The statement that was to be done, for those who watch what is sent. */
export function asWritten(text: string, params: readonly unknown[]): string {
  return text === CALL ? String(params[1]) : beforeShards(text);
}

/** What a call answers, as the rows of its statement. */
export function fromHome(rows: readonly { done?: unknown }[]): object[] {
  return rows.flatMap(({ done }) => (done ? [done as object] : []));
}

/** An insert that is the whole statement gives rows only where it says so. */
export function givesRows(text: string): boolean {
  return !/^\s*insert\b/i.test(text) || /\breturning\b/i.test(text);
}

const known = new Map<string, boolean>();

/** By its text, of which there are few: those that change by what they are asked for only read. */
export function isForHome(text: string): boolean {
  const found = known.get(text) ?? insertsWithMore(text);
  known.set(text, found);
  return found;
}

function insertsWithMore(text: string): boolean {
  const tables = [...text.matchAll(/\binsert\s+into\s+"?(\w+)/gi)].map(([, name]) => name ?? '');
  const isTenants = tables.some((name) => PLACEMENT[name as keyof typeof PLACEMENT] === 'distributed');
  return isTenants && /^\s*with\b|\bselect\b/i.test(text);
}

/** As the driver would send it. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}
