/** A sign-in of a member that may still be used in this project. Times are instants. */
export type MemberSession = {
  id: string;
  /** When the password, passkey or secret was given. */
  startedAt: string;
  /** When it last signed in or renewed its tokens. */
  lastUsedAt: string;
  method: 'password' | 'client' | 'passkey';
  browser?: string;
  os?: string;
  /** The program that it went through; null for our own console. */
  client: { reference: string; display: string } | null;
  /** The one that asks. */
  current: boolean;
};

/** GET /admin/projects/:id/members/:id/sessions: the last used first; `rows` are at most 200 of them. */
export type MemberSessions = { total: number; rows: MemberSession[] };
