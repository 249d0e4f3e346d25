export type BotVersion = {
  number: number;
  filename: string;
  author: { reference: string; display: string | null } | null;
  createdAt: string;
  /** Of the source. */
  bytes: number;
  live: boolean;
};

/** GET /admin/projects/{id}/bots/{id}/versions, newest first. */
export type BotVersions = { live: number | null; rows: BotVersion[] };
