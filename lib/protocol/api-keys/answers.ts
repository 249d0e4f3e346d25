/** A key of a person: itself it is shown once. Times are instants. */
export type ApiKeyRow = {
  id: string;
  name: string;
  /** Its last characters. */
  hint: string;
  scope: string;
  createdAt: string;
  expiresAt: string;
  lastUsedAt: string | null;
};

/** GET /auth/keys: the caller's own in this project. `allowed`: whether the project lets people make some. */
export type OwnApiKeys = { allowed: boolean; rows: ApiKeyRow[] };

/** The one answer that shows a key. */
export type NewApiKey = ApiKeyRow & { key: string };
