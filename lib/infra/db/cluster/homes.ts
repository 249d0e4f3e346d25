import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type postgres from 'postgres';
import { CALL } from './at-home.ts';
import { onShards, type Shards } from './on-shards.ts';
import { PLACEMENT } from './placement.ts';
import { uuidHash } from './uuid-hash.ts';

/** A node of a cluster that has projects, as the nodes know each other; of how many it is one. */
export type Home = { host: string; port: number; nodes: number };

/** Of all projects whose hash is not above `most` and not in the range before; of a node that was reached. */
type Range = { most: number; home: Home | undefined; shards: Shards };

/** None on one server. */
let ranges: Range[] = [];

type Placed = Pick<Home, 'host' | 'port'> & { name: string; shard: string; most: number; group: number };

const PLACEMENTS = `
  select s.logicalrelid::text as name, s.shardid::text as shard, s.shardmaxvalue::int as most, n.nodename as host, n.nodeport as port,
    n.groupid as group
  from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
  where s.logicalrelid::text = any($1::text[]) and n.noderole = 'primary' order by s.shardmaxvalue::int`;

/** Where statements that stand by themselves are sent to a node. */
type Reach = (home: Home) => Pick<postgres.Sql, 'unsafe'>;

/**
 * Looks where projects are, and again every few seconds. What is on a node that cannot be reached from here is asked for by way of the
 * coordinator, and what has moved since as well.
 */
export async function watchHomes(coordinator: () => postgres.Sql, reach: Reach): Promise<void> {
  forgetHomes();
  const { signal } = watching;
  await look(coordinator(), reach, signal);
  void (async () => {
    while (await rest(signal)) await look(coordinator(), reach, signal).catch(() => undefined);
  })();
}

/** Nothing is sent to a node, until they are watched again. */
export function forgetHomes(): void {
  watching.abort();
  watching = new AbortController();
  ranges = [];
}

let watching = new AbortController();
const LOOK_AGAIN_MS = 5000;

function rest(signal: AbortSignal): Promise<boolean> {
  return pause(LOOK_AGAIN_MS, true, { signal, ref: false }).catch(() => false);
}

async function look(sql: postgres.Sql, reach: Reach, signal: AbortSignal): Promise<void> {
  const placed = await sql.unsafe<Placed[]>(PLACEMENTS, [`{${named('distributed').join(',')}}`]);
  const nodes = new Set(placed.map(nameOf)).size;
  const homes = new Map(placed.map(({ host, port, group }) => [group, { host, port, nodes }]));
  // The coordinator's, if it has any, are on the connections that there are.
  homes.delete(COORDINATOR);
  const reached = new Map<number, Home>();
  const ask = async ([group, home]: [number, Home]) => {
    if (await isGroup(reach(home), group)) reached.set(group, home);
  };
  await Promise.all([...homes].map(ask));
  if (signal.aborted) return;
  const found = new Map<number, Range>();
  for (const { name, shard, most, group } of placed) {
    // All tables of a project lie beside each other.
    const range = found.get(most) ?? { most, home: reached.get(group), shards: { group, of: new Map() } };
    range.shards.of.set(name, shard);
    found.set(most, range);
  }
  ranges = [...found.values()];
}

const COORDINATOR = 0;

/** A name such as localhost may lead to somebody else from here. */
async function isGroup(node: Pick<postgres.Sql, 'unsafe'>, group: number): Promise<boolean> {
  try {
    const [row] = await node.unsafe<{ group: number }[]>('select groupid as group from pg_dist_local_group');
    return row?.group === group;
  } catch {
    return false;
  }
}

/** It was not reached: until it is looked for again, nothing is sent there. */
export function leaveHome(home: Home): void {
  ranges = ranges.map((range) => (range.home === home ? { ...range, home: undefined } : range));
}

export function nameOf({ host, port }: Pick<Home, 'host' | 'port'>): string {
  return `${host}:${port}`;
}

/** `text`: what to send there, where it says the same in another way. */
export type AtHome = { home: Home; text: string };

/** Where a statement that stands by itself is best sent: to the node that has its project. Undefined where that is nobody's, or not known. */
export function homeOf(text: string, params: readonly unknown[]): AtHome | undefined {
  if (ranges.length === 0) return undefined;
  const isCall = text === CALL;
  const at = isCall ? 1 : projectParameter(text);
  const project = at > 0 && projectOf(params[at - 1]);
  if (!project) return undefined;
  const { home, shards } = rangeOf(project);
  return home && { home, text: isCall ? text : (onShards(text, shards) ?? text) };
}

/** A search may name its project as the only one of a list. */
function projectOf(value: unknown): string | undefined {
  return typeof value === 'string' ? UUID.exec(value)?.[0] : undefined;
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/i;

function rangeOf(project: string): Range {
  const hash = uuidHash(project);
  let [low, high] = [0, ranges.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.most < hash) low = middle + 1;
    else high = middle;
  }
  return ranges[low]!;
}

/** Texts that callers compose by what they ask for are many. */
const known = new LRUCache<string, number>({ max: 2000 });
const MAX_TEXT = 16 * 1024;

/** Which parameter names the project of a statement that only reads, and only what the nodes have; 0 is none. */
export function projectParameter(text: string): number {
  if (text.length > MAX_TEXT) return 0;
  const found = known.get(text) ?? readParameter(text);
  known.set(text, found);
  return found;
}

function named(place: 'coordinator' | 'distributed'): string[] {
  return Object.keys(PLACEMENT).filter((name) => PLACEMENT[name as keyof typeof PLACEMENT] === place);
}

/** What the nodes have not, and only the coordinator may say. */
export const NOT_THERE = new RegExp(`\\b(${named('coordinator').join('|')}|pgboss|pg_notify|pg_\\w*advisory\\w*)\\b`);
const CHANGES =
  /\b(insert|update|delete|merge|truncate|lock|set_config|nextval)\b|\bfor\s+(no\s+key\s+)?(update|share|key)/i;
const NAMED = /\bproject_id"?\s*=\s*(?:any\s*\(\s*)?\$(\d+)/i;

function readParameter(text: string): number {
  if (!/^\s*(select|with)\b/i.test(text) || CHANGES.test(text) || NOT_THERE.test(text)) return 0;
  return Number(NAMED.exec(text)?.[1] ?? 0);
}
