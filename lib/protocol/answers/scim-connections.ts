import type { AccessEntry } from '../fhir/types.ts';

/** A token of a connection: itself it is shown once. Times are instants. */
export type ScimTokenRow = { id: string; hint: string; createdAt: string; lastUsedAt: string | null };

/** A directory that provisions members. */
export type ScimConnectionRow = {
  id: string;
  name: string;
  sendEmail: boolean;
  createdAt: string;
  lastUsedAt: string | null;
  requests: number;
  /** How many members it manages. */
  members: number;
  tokens: ScimTokenRow[];
};

/** GET /admin/projects/{id}/scim, by name. `url` is what the directory is told. */
export type ScimConnectionList = { url: string; rows: ScimConnectionRow[] };

/** A group of a directory, and what it gives to its members. */
export type ScimGroupRow = {
  id: string;
  displayName: string;
  /** How many it has. */
  members: number;
  access: AccessEntry[];
  admin: boolean;
};

/** GET /admin/projects/{id}/scim/{connection}/groups, by name. `rows` are the first of `total`. */
export type ScimGroupList = { total: number; rows: ScimGroupRow[] };

/** The one answer that shows a token. */
export type NewScimToken = { id: string; tokenId: string; token: string };

/** GET /admin/projects/{id}/scim/{connection}/requests: the last ones, newest first. */
export type ScimRequestRow = { at: string; method: string; path: string; status: number; error: string | null };
