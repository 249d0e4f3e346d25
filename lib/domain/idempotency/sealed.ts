import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = {
  idempotency_key: { key: ['project_id', 'membership_id', 'key'], column: 'body', purpose: 'idempotency' },
} as const satisfies SealedColumns;
