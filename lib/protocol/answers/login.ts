import type { FactorDemand } from '../factors/answers.ts';
import type { Attachment, Identifier, Reference } from '../fhir/types.ts';

/** A membership to choose from. */
export type LoginMembership = { id: string; project: Reference; profile: Reference; identifier?: Identifier[] };

/**
 * Each step of a sign-in (contract §1.5): a code when one membership fits, the list when several do; neither before the second factor is
 * proven, or enrolled, that is asked for.
 */
export type LoginResult = { login: string; code?: string; memberships?: LoginMembership[] } & Partial<FactorDemand>;

/** POST /auth/mfa/login-enroll. The recovery codes are told once. */
export type EnrolledLogin = LoginResult & { recoveryCodes?: string[] };

/** POST /auth/signinlink: what the code in the mail is typed with. */
export type BegunByMail = { id: string };

/** POST /auth/newproject. */
export type LoginCode = { login: string; code: string };

/** GET /auth/clientinfo/{clientId}. */
export type ClientInfo = { welcomeString?: string; logo?: Attachment };

/** POST /auth/newuser: a mail with a link and a code is on its way when the address is to be confirmed first. */
export type NewUserResult = { login: string; emailVerificationRequired?: true };

/** How an address signs in: by password, or at its domain's identity provider. `optional`: or by both. */
export type SignInMethod = { domain?: string; authorizeUrl?: string; optional?: true };
