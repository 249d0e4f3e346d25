/** GET /admin/projects/{id}/bots/{id}/source: the draft of a bot. `version` is that of the Bot resource, for If-Match. */
export type BotSource = { code: string; filename: string; version: number };
