import type { Attachment, Identifier, Reference } from '../fhir/types.ts';

/** A membership to choose from. */
export type LoginMembership = { id: string; project: Reference; profile: Reference; identifier?: Identifier[] };

/** POST /auth/login, POST /auth/scope and GET /auth/login/{id} (contract §1.5): a code when one membership fits, the list when several do. */
export type LoginResult = { login: string; code?: string; memberships?: LoginMembership[] };

/** POST /auth/profile, /auth/newproject and /auth/switch. */
export type LoginCode = { login: string; code: string };

/** GET /auth/clientinfo/{clientId}. */
export type ClientInfo = { welcomeString?: string; logo?: Attachment };

/** POST /auth/newuser: a mail with a link and a code is on its way when the address is to be confirmed first. */
export type NewUserResult = { login: string; emailVerificationRequired?: true };
