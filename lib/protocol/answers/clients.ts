/** A client of the project. Times are instants. */
export type ClientRow = {
  id: string;
  name: string;
  description: string | null;
  status: 'active' | 'off';
  membershipId: string | null;
  admin: boolean;
  policies: { reference: string; display: string }[];
  /** `retiring`: the secret before this one still works. Null: the client cannot sign in. */
  secret: { rotatedAt: string; retiring: boolean } | null;
  /** When it last asked for a token, or used one. Calls with Basic leave no trace of their own. */
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
  lastUpdated: string;
};

/** GET /admin/projects/{id}/clients, by name. `rows` are the first of `total`. */
export type ClientList = { total: number; rows: ClientRow[] };
