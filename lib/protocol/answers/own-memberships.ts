import type { Reference } from '../fhir/types.ts';

/** A project that one belongs to. */
export type OwnMembership = { id: string; project: Reference; profile: Reference; label?: string; current: boolean };

/** GET /auth/memberships. */
export type OwnMemberships = { memberships: OwnMembership[] };
