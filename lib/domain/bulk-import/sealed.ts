import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = {
  bulk_import_file: { key: ['project_id', 'import_id', 'number'], column: 'url_sealed', purpose: 'bulk-import' },
} as const satisfies SealedColumns;
