import type postgres from 'postgres';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { HOME_FUNCTION } from './home-function.ts';
import { PLACEMENT } from './placement.ts';

/** What it was tried with. */
const OLDEST = 13;

type Node = { name: string; port: number; isShardless: boolean };

/** Whether the database is one of a cluster. */
export async function isCluster(sql: postgres.Sql): Promise<boolean> {
  const found = await sql`select from pg_extension where extname = 'citus'`;
  return found.length > 0;
}

/** Throws `WrongSettings` for a cluster that Gatehouse cannot work on; says nothing of nodes that are away. */
export async function checkCluster(sql: postgres.Sql): Promise<void> {
  const [own] = await sql<{ version: string; isCoordinator: boolean }[]>`
    select extversion as version, (select groupid = 0 from pg_dist_local_group) as "isCoordinator" from pg_extension where extname = 'citus'`;
  const { version = '', isCoordinator } = own ?? {};
  if (Number.parseInt(version, 10) < OLDEST) refuse(`Citus ${version} is too old: ${OLDEST} or newer is supported`);
  if (!isCoordinator) refuse('leads to a worker of a Citus cluster; name the coordinator');
  const nodes = await sql<Node[]>`
    select nodename as name, nodeport as port, not shouldhaveshards as "isShardless" from pg_dist_node where isactive and noderole = 'primary'`;
  if (nodes.every(({ isShardless }) => isShardless)) {
    refuse("has the extension Citus and no node for data; add each: SELECT citus_add_node('its name', its port)");
  }
}

/**
 * Spreads the tables that are not spread yet over the nodes, with the rows that they have. Each is locked until it is done. Returns how many.
 * Needs every node; throws `WrongSettings` where one does not answer.
 */
export async function distributeTables(sql: postgres.Sql): Promise<string[]> {
  const known = await sql<
    { name: string }[]
  >`select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`;
  const missing = Object.entries(PLACEMENT)
    .filter(([name, place]) => place === 'distributed' && !known.some((one) => one.name === name))
    .map(([name]) => name)
    // The one that the others lie beside.
    .sort((a, b) => Number(b === 'resource') - Number(a === 'resource'));
  if (missing.length > 0) await checkNodes(sql);
  for (const name of missing) await sql.begin((tx) => distribute(tx, name));
  await makeHomeFunction(sql);
  return missing;
}

/** Only where it is not there as it should be: it takes every node. That of before, do_at_home, stays for servers that still serve. */
async function makeHomeFunction(sql: postgres.Sql): Promise<void> {
  const made = await sql`select from pg_proc where oid = to_regproc('do_at_node') and prosrc = ${HOME_FUNCTION}`;
  if (made.length > 0) return;
  await checkNodes(sql);
  await sql.begin(async (tx) => {
    await tx.unsafe(
      `create or replace function do_at_node(project uuid, statement text, params text[], answers boolean, locks boolean) returns jsonb language plpgsql as $home$${HOME_FUNCTION}$home$`,
    );
    await tx`select create_distributed_function('do_at_node(uuid, text, text[], boolean, boolean)', 'project', colocate_with => 'resource', force_delegation => true)`;
  });
}

async function distribute(tx: postgres.TransactionSql, name: string): Promise<void> {
  const [{ isKeyed } = { isKeyed: false }] = await tx<{ isKeyed: boolean }[]>`
    select exists (select from pg_index where indrelid = ${name}::regclass and indisprimary) as "isKeyed"`;
  // Else its shards could not move while they are written to.
  if (!isKeyed) await tx`alter table ${tx(name)} replica identity full`;
  await tx`select create_distributed_table(${name}, 'project_id', colocate_with => ${name === 'resource' ? 'none' : 'resource'})`;
  // What was in it lies on the nodes now, and here once more, where nobody sees it.
  await tx`select truncate_local_data_after_distributing_table(${name}::regclass)`;
}

async function checkNodes(sql: postgres.Sql): Promise<void> {
  const away = await sql<{ node: string }[]>`
    select distinct to_nodename || ':' || to_nodeport as node from citus_check_cluster_node_health() where result is not true`;
  if (away.length > 0)
    refuse(`these nodes of its Citus cluster do not answer each other: ${away.map(({ node }) => node).join(', ')}`);
  const unfit = await sql<{ node: string }[]>`
    select nodename || ':' || nodeport as node from run_command_on_all_nodes('show max_prepared_transactions')
    join pg_dist_node using (nodeid) where result = '0'`;
  if (unfit.length > 0)
    refuse(
      `a change on several nodes needs max_prepared_transactions, 0 on ${unfit.map(({ node }) => node).join(', ')}`,
    );
}

function refuse(reason: string): never {
  throw new WrongSettings(`DATABASE_URL: ${reason}`);
}
