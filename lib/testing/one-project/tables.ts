import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';

/** The columns, in their order. A tenant's table is what a cluster spreads by project, any other stands in one place. */
type Known = { columns: readonly string[]; isTenants: boolean };

const SCHEMA = join(import.meta.dirname, '../../infra/db/schema');
const schemas = await Promise.all(
  readdirSync(SCHEMA, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => import(pathToFileURL(join(SCHEMA, name)).href) as Promise<object>),
);

/** By name. The key of a tenant's table begins with the project; the search index has none. */
export const TABLES: ReadonlyMap<string, Known> = new Map(
  schemas
    .flatMap((schema) => Object.values(schema) as unknown[])
    .filter((value) => value instanceof PgTable)
    .map((table) => {
      const { name, columns, primaryKeys } = getTableConfig(table);
      const first = primaryKeys[0]?.columns[0] ?? columns.find((column) => column.primary) ?? columns[0];
      return [name, { columns: columns.map((column) => column.name), isTenants: first?.name === 'project_id' }];
    }),
);
