import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = {
  factor: { key: ['user_id', 'method'], column: 'secret_sealed', purpose: 'totp-secret' },
} as const satisfies SealedColumns;
