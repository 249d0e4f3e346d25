import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = {
  bulk_job_row: { column: 'input_sealed', purpose: 'bulk-job' },
} as const satisfies SealedColumns;
