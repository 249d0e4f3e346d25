import { createServer, type IncomingMessage } from 'node:http';
import postgres from 'postgres';
import { newId } from '#lib/base/ids.ts';
import { forPostgres, parseAddress } from '#lib/infra/db/address.ts';
import { mendConnections } from '#lib/infra/db/pool/mended-connections.ts';
import { poolSizes } from '#lib/infra/db/pool/pool-sizes.ts';
import { type Recorded, type Statement, UNIQUE } from './scenario.ts';

/**
 * The bare handler: node:http and postgres.js, no checks, no parsing, the same statements, prepared, on pools of the same sizes.
 * What Node and PostgreSQL can do at most on this machine. Gets from its parent what was recorded.
 */
const [, , url = '', port = ''] = process.argv;
const asText = <T>(value: T): T => value;
const sizes = poolSizes();
const [sql, transactions] = [openPool(sizes.statements), openPool(sizes.transactions)];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
type Ask = { text: string; params: ((fresh: Fresh) => unknown)[] };
type Fresh = { ids: Map<string, string>; unique: string };
type Query = Pick<postgres.Sql, 'unsafe'>;

const answers = new Map<string, () => Promise<{ body: string; contentType: string }>>();
let count = 0;

process.once('message', (all: Recorded[]) => {
  for (const recorded of all) answers.set(key(recorded.scenario), toAnswer(recorded));
  createServer(async (incoming, outgoing) => {
    const answer = answers.get(`${incoming.method} ${incoming.url}`);
    if (!answer) return outgoing.writeHead(404).end();
    if (incoming.method === 'POST') await drain(incoming);
    const { body, contentType } = await answer();
    outgoing.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }).end(body);
  }).listen(Number(port), () => process.send?.('ready'));
});

/** timestamptz, json and jsonb go in and come out as text, as in the product. */
function openPool(max: number): postgres.Sql {
  const pool = postgres({
    ...forPostgres(parseAddress(url)),
    max,
    fetch_types: false,
    connection: { TimeZone: 'UTC' },
  });
  void mendConnections(pool, () => undefined);
  const { parsers, serializers } = pool.options;
  for (const type of [1184, 114, 3802]) {
    parsers[type] = asText;
    serializers[type] = asText;
  }
  return pool;
}

function key({ method, path }: Recorded['scenario']): string {
  return `${method} ${path}`;
}

async function drain(incoming: IncomingMessage): Promise<void> {
  for await (const _ of incoming);
}

function toAnswer({ scenario, first, second, body, contentType }: Recorded) {
  const asks = scenario.answer === 'echo' ? [] : first.map((statement, at) => toAsk(statement, second[at]));
  return async () => {
    const rows = asks.length > 0 ? await ask(asks) : [];
    return { body: scenario.answer === 'rows' ? write(rows) : body, contentType };
  };
}

/** JSON text out of JSON text. */
function write(rows: readonly { id: string; content: string }[]): string {
  return `{"entry":[${rows.map((row) => `{"id":"${row.id}","resource":${row.content}}`).join(',')}]}`;
}

/** Statement by statement, those between `begin` and `commit` on one connection. */
async function ask(asks: Ask[]) {
  const fresh = { ids: new Map<string, string>(), unique: `${process.pid}${count++}` };
  const begin = asks.findIndex(({ text }) => text.startsWith('begin'));
  if (begin < 0) return run(sql, asks, fresh);
  const commit = asks.findIndex(({ text }) => text === 'commit');
  await run(sql, asks.slice(0, begin), fresh);
  await transactions.begin((tx) => run(tx, asks.slice(begin + 1, commit), fresh));
  return run(sql, asks.slice(commit + 1), fresh);
}

async function run(q: Query, asks: Ask[], fresh: Fresh) {
  let rows: { id: string; content: string }[] = [];
  for (const { text, params } of asks) {
    rows = await q.unsafe<{ id: string; content: string }[]>(text, params.map((param) => param(fresh)) as never[], {
      prepare: true,
    });
  }
  return rows;
}

/** What was the same in both recordings stays; ids that were made for the request are made again, the same one everywhere in it. */
function toAsk(first: Statement, second: Statement | undefined): Ask {
  const params = first.params.map((param, at) => {
    const other = second?.params[at];
    if (typeof param !== 'string' || typeof other !== 'string') return () => param;
    const known = new Set(other.match(UUID));
    const isFixed = !param.includes(UNIQUE) && (param.match(UUID) ?? []).every((id) => known.has(id));
    if (isFixed) return () => param;
    return (fresh: Fresh) =>
      param.replaceAll(UNIQUE, fresh.unique).replace(UUID, (id) => (known.has(id) ? id : freshId(fresh, id)));
  });
  return { text: first.text, params };
}

function freshId({ ids }: Fresh, id: string): string {
  const there = ids.get(id) ?? newId();
  ids.set(id, there);
  return there;
}
