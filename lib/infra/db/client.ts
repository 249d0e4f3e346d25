import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { databaseAddress, forPostgres, isShared, nodeAddress } from './address.ts';
import { askHome } from './cluster/ask-home.ts';
import { atHome, fromHome, givesRows, lookForHomes } from './cluster/at-home.ts';
import { forgetHomes, type Home, homeOf, nameOf, watchHomes } from './cluster/homes.ts';
import { lockedFirst } from './cluster/node-locks.ts';
import { createEarnedTexts } from './pool/earned-texts.ts';
import { leave } from './pool/leave.ts';
import { type Load, type PoolName, watchLoad } from './pool/load.ts';
import { mendWhenAsked } from './pool/mended-connections.ts';
import { isOfAnother, sentUntilOwn, untilOwn } from './pool/of-another.ts';
import { checkParameters, optionsOf, writeTexts } from './pool/parameters.ts';
import { AT_HOME, LAST_SECONDS, SETTINGS } from './pool/pool-settings.ts';
import { poolSizes, shareOf } from './pool/pool-sizes.ts';
import { type Life, whileOpen } from './pool/while-open.ts';
import { refuseChange, refuseInRehearsal } from './rehearsing.ts';
import { RETRY_SECONDS } from './single/single.ts';

type Client = postgres.Sql;

export type Db = PostgresJsDatabase & { $client: Client };

/** The pool or an open transaction: what a query can be sent to. */
export type Queryable = Pick<Db, 'execute' | 'select' | 'insert' | 'update' | 'delete' | '$client'>;

/** So many statements at most wait behind another on its connection: a slow one must not hold up all that come after it. The driver's types lack it. */
const PIPELINE = { max_pipeline: 8 };

/**
 * None waits behind another on its connection, as the driver takes this answer. A pooler gives the server's connection to somebody else at
 * an answer behind which it knows of nothing, and of a statement that is only being described yet it does not know (pgbouncer#759).
 */
const ALONE = { onexecute: () => false };

/**
 * Where transactions begin, too: a BEGIN that is the last a connection takes is sent, but the driver does not keep the connection for it, refuses
 * it (UNSAFE_TRANSACTION), and leaves it open for the statements of others, whose commit nobody sends.
 */
const isAlone = (name: PoolName | undefined) => name === 'transactions' || name === 'rehearsals' || isShared();

type Pool = { db: Db; load: Load; name: PoolName };

const pools = new Map<string, Pool>();

/** For statements outside a transaction. Timestamps in raw rows come back as text: Drizzle sets the parsers. */
export function db(): Db {
  return poolOf('statements').db;
}

/**
 * For those whose best plan depends on their values, so that one is made for these: what was right for five rare codes would be kept for a
 * status that half of all rows have (data.md, planner lesson 12).
 */
export function searches(): Db {
  return poolOf('searches').db;
}

/** READ COMMITTED. Rolled back when `run` throws. */
export function transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
  refuseInRehearsal('open a transaction of its own');
  return transactionOn('transactions', run);
}

/** `rehearsals`: on the one connection that a process has for dry runs, so that no request waits for one. */
export async function transactionOn<T>(
  name: 'transactions' | 'rehearsals',
  run: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const { load, db: pool } = poolOf(name);
  let begun = false;
  const isOthers = (error: unknown) => !begun && isOfAnother(error, ({ query }) => /^begin\b/.test(String(query)));
  return untilOwn(
    async () => {
      const life: Life = { over: false, locked: new Set() };
      try {
        return (await pool.$client.begin((client) => {
          begun = true;
          const tx = drizzle(preparing(client as unknown as Client, { options: optionsOf(pool.$client), life }));
          return whileOpen(life, run(tx));
        })) as T;
      } finally {
        life.over = true;
      }
    },
    isOthers,
    load,
  );
}

/** `isKept`: PostgreSQL keeps its plan, for whatever values come next. */
type Watcher = (text: string, params: unknown[], isKept: boolean) => void;

const watchers = new Set<Watcher>();

/** Calls `seen` with every statement that is sent, until what it returns is called. */
export function watchStatements(seen: Watcher): () => void {
  watchers.add(seen);
  showStatements();
  return () => {
    watchers.delete(seen);
    showStatements();
  };
}

/** Only while somebody watches: the driver then also puts parameters into its errors. */
function showStatements(): void {
  for (const pool of pools.values()) pool.db.$client.options.debug = tellWatchers(pool.name);
}

function tellWatchers(name: PoolName): Client['options']['debug'] & {} {
  if (watchers.size === 0) return false;
  return (_connection, text, params) => {
    for (const seen of watchers) seen(text, params, name === 'statements');
  };
}

/** Of a cluster, that to the node too. */
function poolOf(name: PoolName, home?: Home): Pool {
  const key = home ? `${name} ${nameOf(home)}` : name;
  const pool = pools.get(key) ?? openPool(key, name, home);
  pools.set(key, pool);
  return pool;
}

function openPool(key: string, name: PoolName, home?: Home): Pool {
  const load = watchLoad(key, home ? shareOf(poolSizes()[name], home.nodes) : poolSizes()[name]);
  const client = postgres({
    ...forPostgres(home ? nodeAddress(home) : databaseAddress()),
    max: load.connections,
    ...(name === 'rehearsals' && { idle_timeout: 2 }),
    ...PIPELINE,
    backoff: () => RETRY_SECONDS,
    fetch_types: false,
    onnotice: () => undefined,
    debug: tellWatchers(name),
    prepare: !isShared(),
    connection: {
      TimeZone: 'UTC',
      application_name: 'gatehouse',
      ...(isShared() ? {} : SETTINGS[name]),
      ...(home && AT_HOME[name]),
    },
  });
  const pool: Pool = { db: drizzle(preparing(client, home ? { load } : { load, name })), load, name };
  writeTexts(client.options);
  mendWhenAsked(client, load, () => replace(key, LAST_SECONDS[name], pool));
  return pool;
}

/** Whoever comes next has another. */
function replace(key: string, seconds: number, pool = pools.get(key)): void {
  if (!pool || pools.get(key) !== pool) return;
  pools.delete(key);
  leave(pool.db.$client, seconds);
}

/** A statement kept as text with numbered parameters, prepared once a connection. For what is hot or has no Drizzle form. */
export async function runText<R extends object>(q: Queryable, text: string, params: unknown[]): Promise<R[]> {
  const home = atHome({ text, params, answers: givesRows(text) });
  if (!home) return q.$client.unsafe<R[]>(text, params as never[], { prepare: true });
  return fromHome(await q.$client.unsafe(home.text, home.params as never[], { prepare: true })) as R[];
}

/** As `runText`, for what commits by itself and so waits for the disk: on the connections of transactions. `answers`: it returns one row. */
export async function runWrite<R extends object>(text: string, params: unknown[], answers = false): Promise<R[]> {
  refuseInRehearsal('change what stands outside of its transaction');
  const { $client } = poolOf('transactions').db;
  const home = atHome({ text, params, answers });
  if (!home) return $client.unsafe<R[]>(text, params as never[], { prepare: true });
  return fromHome(await $client.unsafe(home.text, home.params as never[], { prepare: true })) as R[];
}

/** Once, before much is asked. */
export async function lookAtCluster(): Promise<void> {
  if ((await lookForHomes(db().$client)) && !isShared()) await watchHomes(() => db().$client, reach);
}

function reach(home: Home) {
  return poolOf('statements', home).db.$client;
}

const dialect = new PgDialect();

/** Texts that callers compose by what they ask for, and those of our own that Drizzle makes. */
const composed = createEarnedTexts({ most: 256 });

const built = createEarnedTexts({ most: 1000 });

/** Either, once more for each shard. */
const onShards = createEarnedTexts({ most: 2000 });

/** A composed statement, sent straight to the driver. For hot queries whose text depends on the request. */
export async function runSql<R extends object>(q: Queryable, statement: SQL): Promise<R[]> {
  const { sql, params } = dialect.sqlToQuery(statement);
  return q.$client.unsafe<R[]>(sql, params as never[], { prepare: composed.has(sql), isDecided: true } as Options);
}

/** The driver does not always tell that a connection is gone, and this pool has one: who makes a dry run next gets another. */
export const renewRehearsals = () => replace('rehearsals', 0);

export async function closeDb(): Promise<void> {
  forgetHomes();
  const closing = [...pools.values()];
  pools.clear();
  await Promise.all(closing.map((pool) => pool.db.$client.end({ timeout: 1 })));
}

type Options = { prepare?: boolean; isDecided?: true };

/** What a transaction sends is no load of its own: it has its connection. */
type Preparing = { options?: Client['options']; life?: Life; load?: Load; name?: PoolName };

const OPEN: Life = { over: false, locked: new Set() };

/** Drizzle says of each statement that it is not to be prepared, which costs a second round trip for the types of its parameters, and a plan. */
function preparing(client: Client, { options, life = OPEN, load, name }: Preparing): Client {
  return new Proxy(client, {
    get(target, property, receiver) {
      if (property === 'unsafe') {
        return (text: string, given: never[] = [], { isDecided, ...options }: Options = {}) => {
          if (life.over || life.ending)
            throw Object.assign(new Error('The transaction is over'), { code: 'CONNECTION_CLOSED' });
          // The driver would find out with the statement already on its connection, and have others wait behind it.
          checkParameters(given);
          if (life === OPEN) refuseChange(text);
          const prepare = options.prepare || (!isDecided && built.has(text));
          const prepared = { ...options, prepare, ...(load && isAlone(name) && ALONE) };
          const params = [...given];
          const send = (text: string, params: unknown[]) =>
            sentUntilOwn(() => target.unsafe(text, params as never[], prepared), params, load);
          if (life !== OPEN) return lockedFirst(text, params, { send, locked: life.locked });
          const here = () => send(text, params);
          const found = name && homeOf(text, given);
          if (!found) return here();
          const atHome = () => {
            const prepare = prepared.prepare && (found.text === text || onShards.has(found.text));
            const node = poolOf(name, found.home).db.$client;
            return node.unsafe(found.text, params, { prepare, isDecided: true } as Options);
          };
          return askHome({ home: found.home, text, atHome, byCoordinator: here });
        };
      }
      if (property === 'options' && options) return options;
      return Reflect.get(target, property, receiver);
    },
  });
}
