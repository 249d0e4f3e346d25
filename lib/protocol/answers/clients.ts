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

/** A named secret of a client: itself it is shown once. Times are instants. GET …/clients/{client}/secrets has these as `rows`. */
export type ClientSecretRow = {
  id: string;
  name: string;
  /** Its last characters. */
  hint: string;
  createdAt: string;
  /** From then on it is refused. Null: it does not end by itself. */
  expiresAt: string | null;
  lastUsedAt: string | null;
};

/** The one answer that shows a named secret. */
export type NewClientSecret = { id: string; name: string; secret: string; expiresAt: string | null };
