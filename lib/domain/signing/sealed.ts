import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's columns, and for which purpose. */
export const SEALED = {
  login: { key: ['project_id', 'id'], column: 'refresh_sealed', purpose: 'refresh' },
  signing_key: { key: ['kid'], column: 'private_sealed', purpose: 'signing-key' },
} as const satisfies SealedColumns;
