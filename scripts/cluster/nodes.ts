import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { atEnd } from '../lifetime.ts';
import { control, DATABASE, inDatabase, type Server, startServer, urlOf } from './server.ts';

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

const SETTINGS = `
shared_preload_libraries = 'citus'
citus.recover_2pc_interval = 2s
output_plugin_libraries = 'pgoutput, test_decoding, citus'
`;
const REVIVALS = 40;

/** `settings`: more of them, for each. */
export async function startNodes(home: string, workers: number, settings = 'fsync = off\n'): Promise<Nodes> {
  const all: Server[] = [];
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

  async function addNode(): Promise<Server> {
    const node = await startServer(home, String(all.length), SETTINGS + settings);
    all.push(node);
    return node;
  }

  async function joinDatabase(name: string): Promise<void> {
    await inDatabase(coordinator, name, 'create extension citus');
    await inDatabase(coordinator, name, `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
    for (const node of all.slice(1)) await joinNode(node, name);
  }

  async function joinNode(node: Server, database: string): Promise<void> {
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
        return await control(all[node]!, 'start');
      } catch (error) {
        if (tried === REVIVALS) throw error;
        await pause(500);
      }
    }
  }
}
