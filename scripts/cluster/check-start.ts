import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { PLACEMENT } from '#lib/infra/db/cluster/placement.ts';
import { migrate } from '#lib/infra/db/migrate.ts';
import type { Nodes } from './nodes.ts';

const PROJECTS = 40;
const SPREAD = Object.entries(PLACEMENT)
  .filter(([, place]) => place === 'distributed')
  .map(([name]) => name)
  .sort();

/** What a start makes of a database before it serves, from a coordinator without workers on; resolves to what was not as promised. */
export async function checkStart(nodes: Nodes, workers: number): Promise<string[]> {
  const wrong: string[] = [];
  wrong.push(...(await refuses(nodes.url, 'no node for data')));
  const filled = await nodes.addDatabase('filled');
  await migrate(filled);
  await fill(filled);
  for (let n = 0; n < workers; n++) await nodes.add();
  wrong.push(...(await refuses(nodes.urlOf(1), 'name the coordinator')));
  await nodes.joinDatabase('filled');
  wrong.push(...(await spreads(filled)), ...(await spreads(nodes.url)));
  const kept = await count(filled);
  if (kept !== PROJECTS) wrong.push(`of ${PROJECTS} rows from before the cluster, ${kept} are found`);
  const { distributed } = await migrate(filled);
  if (distributed.length > 0) wrong.push(`a second start spreads again: ${distributed.join(', ')}`);
  return wrong;
}

async function refuses(url: string, reason: string): Promise<string[]> {
  const said = await migrate(url).then(
    () => 'nothing',
    (error: Error) => error.message,
  );
  return said.includes(reason) ? [] : [`a start that should be refused with “${reason}” said: ${said}`];
}

async function spreads(url: string): Promise<string[]> {
  const { distributed } = await migrate(url);
  return distributed.toSorted().join() === SPREAD.join()
    ? []
    : [`of a database were spread: ${distributed.join(', ')}`];
}

/** In a table with a primary key and partitions, and in one that has neither. */
async function fill(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  for (let n = 0; n < PROJECTS; n++) {
    const [projectId, id] = [randomUUID(), randomUUID()];
    await sql`insert into resource (project_id, type_id, id, version, last_updated, tokens) values (${projectId}, ${n}, ${id}, 1, now(), '{}')`;
    await sql`insert into ix_string (project_id, param, value, id) values (${projectId}, 1, 'x', ${id})`;
  }
  await sql.end();
}

async function count(url: string): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from resource r join ix_string s on s.project_id = r.project_id and s.id = r.id`;
  await sql.end();
  return row?.n ?? 0;
}
