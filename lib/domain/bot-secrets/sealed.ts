import type { SealedColumns } from '#lib/infra/db/reseal.ts';

/** What is sealed in this room's tables, and for which purpose. */
export const SEALED = {
  bot_secret: { key: ['project_id', 'bot_id', 'name'], column: 'value_sealed', purpose: 'bot-secret' },
} as const satisfies SealedColumns;
