/** GET /admin/projects/{id}/bots/{id}/secrets: never a value. `updatedAt` of the bot's own. */
export type BotSecretRow = { name: string; of: 'bot' | 'project'; updatedAt: string | null };
