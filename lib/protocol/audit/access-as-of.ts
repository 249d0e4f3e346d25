import type { Party } from '../answers/audit.ts';

/** A member who could read it then. `unknown`: their membership, or one of its policies, is kept no longer as it was then. */
export type CouldRead = {
  membership: string;
  profile: Party;
  user: Party;
  admin: boolean;
  access: 'read' | 'unknown';
  /** By which policies; none: no policy limited them. */
  policies: Party[];
};

/** Somebody who was given it, by its id or in a page of a search. `at` is an instant. */
export type DidRead = { id: string; at: string; how: 'read' | 'search'; actor: Party; onBehalfOf: Party | null };

/** GET /admin/projects/{id}/access-as-of: who could read a record at an instant, and who did. */
export type AccessAsOf = {
  resource: string;
  at: string;
  from: string;
  /** Whether it was there at that instant; `unknown`: its version of then is kept no longer. */
  state: 'present' | 'deleted' | 'absent' | 'unknown';
  version: string | null;
  /** How many memberships this page looked at. */
  looked: number;
  members: CouldRead[];
  next: string | null;
  /** On the first page: the newest reads from `from` to `at`; null where reads were not kept at that instant. */
  reads: DidRead[] | null;
};
