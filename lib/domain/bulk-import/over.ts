import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';

export function over(): OverRows {
  const isLeft = (projectId: string) =>
    sql`not exists (select 1 from bulk_import i where i.project_id = ${projectId}::uuid and i.id = t.import_id)`;
  return {
    bulk_import: { key: ['project_id', 'id'], which: sql`t.expires_at < now()` },
    bulk_import_file: { key: ['project_id', 'import_id', 'number'], which: isLeft },
    bulk_import_error: { key: ['project_id', 'import_id', 'file', 'line'], which: isLeft },
  };
}
