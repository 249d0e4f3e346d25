import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = {
  project_secret: { key: ['project_id', 'name'], column: 'value_sealed', purpose: 'project-secret' },
} as const satisfies SealedColumns;
