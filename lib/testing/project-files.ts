import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { PLACEMENT } from '#lib/infra/db/cluster/placement.ts';
import { type Answer, callApi } from './call-api.ts';
import { db } from './set-up/own-db.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read lines by path
export type Line = { kind: string; [name: string]: any };

/** The lines of a project's file, without its end. */
export function toLines(text: string): Line[] {
  const lines = text.trimEnd().split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** The file of these lines, with an end that fits them. */
export function toFile(lines: readonly (Line | string)[]): string {
  const texts = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  const counts: Record<string, number> = {};
  for (const line of lines) {
    const kind = typeof line === 'string' ? 'version' : line.kind;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const before = texts.join('');
  const sha256 = createHash('sha256').update(before).digest('hex');
  return `${before}${JSON.stringify({ kind: 'end', lines: lines.length, counts, sha256 })}\n`;
}

export function importFile(authorization: string | undefined, file: string | Uint8Array): Promise<Answer> {
  const headers = { 'content-type': 'application/x-ndjson' };
  return callApi(authorization, 'POST', '/admin/super/importproject', { body: file, headers });
}

/** Tables of the database with a column of projects. */
async function tablesOfProjects(): Promise<string[]> {
  const rows = await db().execute<{ name: string }>(sql`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where a.attname = 'project_id' and n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped`);
  return rows.map(({ name }) => name).filter((name) => name in PLACEMENT);
}

/** How many rows of a project there are, by table; those that have none are left out. */
export async function countRows(projectId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesOfProjects()) {
    const [row] = await db().execute<{ n: number }>(
      sql`select count(*)::int as n from ${sql.identifier(table)} where project_id = ${projectId}`,
    );
    if (row && row.n > 0) counts[table] = row.n;
  }
  return counts;
}

/** As if this server had never known the project, nor its people. */
export async function forget(projectId: string): Promise<void> {
  const people = await db().execute<{ id: string }>(
    sql`select distinct substr(user_ref, 6) as id from membership_key where project_id = ${projectId} and user_ref like 'User/%'`,
  );
  for (const { id } of people) {
    for (const table of ['user_login', 'user_project', 'credential', 'factor', 'passkey', 'known_device'])
      await db().execute(sql`delete from ${sql.identifier(table)} where user_id = ${id}`);
    for (const table of ['resource', 'resource_history'])
      await db().execute(sql`delete from ${sql.identifier(table)} where id = ${id}`);
  }
  for (const table of await tablesOfProjects())
    await db().execute(sql`delete from ${sql.identifier(table)} where project_id = ${projectId}`);
}
