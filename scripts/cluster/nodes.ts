import { appendFileSync, chownSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { atEnd } from '../lifetime.ts';
import { runCommand } from '../run-command.ts';
import { POSTGRES } from './install.ts';

/** A Citus on this machine: node 0 coordinates, the others hold the rows. */
export type Nodes = {
  /** Of the coordinator. */
  url: string;
  sql: postgres.Sql;
  /** One more worker, empty until shards are moved to it; resolves to its number. */
  add(): Promise<number>;
  /** Of a node. */
  urlOf(node: number): string;
  /** A further database, on the coordinator alone; resolves to its URL. */
  addDatabase(name: string): Promise<string>;
  /** Makes it one of the cluster. */
  joinDatabase(name: string): Promise<void>;
  /** The number of the node that holds this project. */
  holderOf(projectId: string): Promise<number>;
  portOf(node: number): number;
  kill(node: number): void;
  revive(node: number): Promise<void>;
};

type Node = { dir: string; port: number };

const SETTINGS = `
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
max_connections = 300
wal_level = logical
max_prepared_transactions = 300
max_wal_senders = 20
max_replication_slots = 20
citus.recover_2pc_interval = 2s
output_plugin_libraries = 'pgoutput, test_decoding, citus'
`;
const DATABASE = 'gatehouse';
const REVIVALS = 40;

export async function startNodes(home: string, workers: number): Promise<Nodes> {
  chownSync(home, await postgresUser(), -1);
  const all: Node[] = [];
  atEnd(async () => {
    for (const { dir } of all) await control(dir, 'stop', '-m', 'immediate').catch(() => undefined);
  });
  const coordinator = await addNode();
  await inDatabase(coordinator, 'postgres', `create database ${DATABASE}`);
  const sql = postgres(urlOf(coordinator), { max: 2, onnotice: () => undefined });
  atEnd(() => sql.end({ timeout: 1 }));
  await joinDatabase(DATABASE);
  for (let n = 0; n < workers; n++) await add();

  return {
    url: urlOf(coordinator),
    sql,
    add,
    urlOf: (node) => urlOf(all[node]!),
    async addDatabase(name) {
      await inDatabase(coordinator, 'postgres', `create database ${name}`);
      return urlOf(coordinator, name);
    },
    joinDatabase,
    holderOf,
    portOf: (node) => all[node]!.port,
    kill,
    revive,
  };

  async function add(): Promise<number> {
    const node = await addNode();
    await joinNode(node, DATABASE);
    return all.length - 1;
  }

  async function addNode(): Promise<Node> {
    const node = { dir: join(home, String(all.length)), port: await findFreePort() };
    await as('initdb', ['-D', node.dir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
    const own = `port = ${node.port}\nunix_socket_directories = '${home}'\n`;
    appendFileSync(join(node.dir, 'postgresql.conf'), SETTINGS + own);
    all.push(node);
    await control(node.dir, 'start');
    return node;
  }

  async function joinDatabase(name: string): Promise<void> {
    await inDatabase(coordinator, name, 'create extension citus');
    await inDatabase(coordinator, name, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
    for (const node of all.slice(1)) await joinNode(node, name);
  }

  async function joinNode(node: Node, database: string): Promise<void> {
    await inDatabase(node, 'postgres', `create database ${database}`);
    await inDatabase(node, database, 'create extension citus');
    await inDatabase(coordinator, database, `select citus_add_node('127.0.0.1', ${node.port})`);
  }

  async function holderOf(projectId: string): Promise<number> {
    const [row] = await sql<{ port: number }[]>`
      select nodeport as port from pg_dist_shard_placement
      where shardid = get_shard_id_for_distribution_column('resource', ${projectId}::uuid)`;
    return all.findIndex(({ port }) => port === row?.port);
  }

  function kill(node: number): void {
    process.kill(Number(readFileSync(join(all[node]!.dir, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  }

  /** Its old children go first: until then a start is refused. */
  async function revive(node: number): Promise<void> {
    for (let tried = 1; ; tried++) {
      try {
        return await control(all[node]!.dir, 'start');
      } catch (error) {
        if (tried === REVIVALS) throw error;
        await pause(500);
      }
    }
  }
}

function urlOf({ port }: Node, database = DATABASE): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}

async function inDatabase(node: Node, database: string, statement: string): Promise<void> {
  const sql = postgres(urlOf(node, database), { max: 1, onnotice: () => undefined });
  await sql.unsafe(statement).finally(() => sql.end({ timeout: 1 }));
}

function control(dir: string, ...what: string[]): Promise<void> {
  return as('pg_ctl', ['-D', dir, '-l', `${dir}.log`, '-w', '-t', '60', ...what]);
}

/** PostgreSQL does not run as root. Its output goes nowhere: what it starts keeps the pipe open. */
async function as(program: string, args: string[]): Promise<void> {
  const command = [join(POSTGRES, 'bin', program), ...args].map((word) => `'${word}'`).join(' ');
  const { code } = await runCommand('runuser', [
    '-u',
    'postgres',
    '--',
    'sh',
    '-c',
    `cd / && ${command} >/dev/null 2>&1`,
  ]);
  if (code === 0) return;
  const log = `${args[1]}.log`;
  throw new Error(`${program} failed: ${existsSync(log) ? readFileSync(log, 'utf8').slice(-500) : code}`);
}

async function postgresUser(): Promise<number> {
  return Number((await runCommand('id', ['-u', 'postgres'])).output);
}
