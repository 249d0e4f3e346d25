import { LRUCache } from 'lru-cache';
import { PLACEMENT } from './placement.ts';

/** Of the projects of one range of hashes: the node's group, and by the name of a table the number of its shard. */
export type Shards = { group: number; of: Map<string, string> };

/** By what was written and where it is sent; and what was written, by what is sent. */
const made = new LRUCache<string, string>({ max: 5000 });
const written = new LRUCache<string, string>({ max: 5000 });

const TENANTS = Object.keys(PLACEMENT)
  .filter((name) => PLACEMENT[name as keyof typeof PLACEMENT] === 'distributed')
  .join('|');
/** What stands behind a table and is not what it is called there. */
const WORDS =
  'as|where|join|left|right|inner|full|cross|natural|on|using|group|order|having|limit|offset|union|except|intersect|for|window|fetch|tablesample';
const TABLE = new RegExp(
  `\\b(from|join)(\\s+)"?(${TENANTS})"?(?![\\w".])((?:\\s+as)?\\s+(?!(?:${WORDS})\\b)"?\\w+"?)?`,
  'gi',
);
const IN_LIST = new RegExp(`,\\s*"?(${TENANTS})"?(\\s+as)?\\s+"?[a-z]\\w*"?\\s*(,|where|join|left|on|\\))`, 'i');

/**
 * A statement that reads, on the very shards, where PostgreSQL plans it as it does without a cluster: through its tables Citus plans, writes
 * and plans again at each execution. In the same snapshot it is held to it that the shard is still this node's: whoever came with old news
 * divides by zero. It is a shift of the rows by none, because no plan is made for that. Undefined for a text whose tables are not all plain.
 */
export function onShards(text: string, { group, of }: Shards): string | undefined {
  const resources = of.get('resource');
  const key = `${resources} ${group} ${text}`;
  const found = made.get(key);
  if (found !== undefined) return found || undefined;
  const sent = IN_LIST.test(text) ? '' : rewrite(text, of, `shardid = ${resources} and groupid = ${group}`);
  made.set(key, sent);
  if (sent) written.set(sent, text);
  return sent || undefined;
}

/** As it was written, for those who watch what is sent. */
export function beforeShards(text: string): string {
  return written.get(text) ?? text;
}

function rewrite(text: string, of: Map<string, string>, here: string): string {
  let isWhole = true;
  const onThem = text.replace(TABLE, (_all, word: string, space: string, name: string, called = ` as "${name}"`) => {
    const shard = of.get(name.toLowerCase());
    isWhole &&= shard !== undefined;
    return `${word}${space}${name}_${shard}${called}`;
  });
  if (!isWhole || onThem === text) return '';
  return `select * from (${onThem}) as q offset (select 1 / count(*) - 1 from pg_dist_placement where ${here})`;
}
