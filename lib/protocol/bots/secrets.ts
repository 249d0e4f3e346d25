/** Of a bot's own. */
export const MOST_OWN_SECRETS = 100;

/** `isNamed`: in the source of the live version. `updatedAt` of the bot's own. */
export type BotSecretRow = { name: string; of: 'bot' | 'project'; isNamed: boolean; updatedAt: string | null };

/** GET /admin/projects/{id}/bots/{id}/secrets: never a value. `missing`: names in the source of the live version that nothing has. */
export type BotSecretList = { rows: BotSecretRow[]; missing: string[] };
