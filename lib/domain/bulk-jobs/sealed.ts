import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = {
  bulk_job_row: { key: ['project_id', 'job_id', 'number'], column: 'input_sealed', purpose: 'bulk-job' },
} as const satisfies SealedColumns;
