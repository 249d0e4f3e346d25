/** A client of the project. Times are instants. */
export type ClientRow = {
  id: string;
  name: string;
  description: string | null;
  /** Who is responsible for it. `hasLeft`: they are no member any more, or not now. */
  owner: { membershipId: string; name: string; hasLeft: boolean } | null;
  /** It is opened about a patient by POST /auth/launch. */
  launchUri: string | null;
  /** It has registered itself, with the token of this name. */
  registeredWith: string | null;
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

/**
 * GET …/clients/{client}/requests, newest first: the last hundred that were answered and the last hundred that failed. `total` and `failed` count
 * all there ever were.
 */
export type ClientRequests = { total: number; failed: number; rows: ClientRequestRow[] };

/** `route` is a pattern: neither ids nor queries are kept. */
export type ClientRequestRow = { at: string; method: string; route: string; status: number; remoteAddress: string };

/** GET /admin/projects/{id}/clients, by name. `rows` are the first of `total`. */
export type ClientList = { total: number; rows: ClientRow[] };

/** A token by which apps register themselves: itself it is shown once. Times are instants. */
export type RegistrationTokenRow = {
  id: string;
  name: string;
  /** Its last characters. */
  hint: string;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  /** How many apps may register with it, and how many have. */
  most: number;
  used: number;
};

/** The one answer that shows it. */
export type NewRegistrationTokenAnswer = { id: string; name: string; token: string; expiresAt: string };

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
