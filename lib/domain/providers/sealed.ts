import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's table, and for which purpose. */
export const SEALED = {
  provider_secret: { key: ['project_id', 'owner'], column: 'value_sealed', purpose: 'provider-secret' },
} as const satisfies SealedColumns;
