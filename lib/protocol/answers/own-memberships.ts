import type { Reference } from '../fhir/types.ts';

/** A project that one belongs to, and whether one administers it. */
export type OwnMembership = {
  id: string;
  project: Reference;
  profile: Reference;
  label?: string;
  admin: boolean;
  current: boolean;
};

/** GET /auth/memberships. */
export type OwnMemberships = { memberships: OwnMembership[] };
