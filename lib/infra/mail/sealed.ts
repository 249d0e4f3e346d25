import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = {
  mail: { key: ['project_id', 'id'], column: 'params_sealed', purpose: 'mail' },
} as const satisfies SealedColumns;
