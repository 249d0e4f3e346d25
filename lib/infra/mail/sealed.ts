import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = { mail: { column: 'params_sealed', purpose: 'mail' } } as const satisfies SealedColumns;
