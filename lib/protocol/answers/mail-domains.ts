import type { IdentityProvider, Reference } from '../fhir/types.ts';

/** As what somebody becomes a member at their first sign-in. Never as an administrator. */
export type DomainJoins = { profileType: 'Practitioner' | 'Patient'; accessPolicy: Reference };

/** An e-mail domain of a project. Times are instants. */
export type MailDomainRow = {
  domain: string;
  /** The TXT record by which its owner shows that it is theirs. */
  record: { name: string; value: string };
  createdAt: string;
  verifiedAt: string | null;
  /** When DNS answered last. */
  checkedAt: string | null;
  /** Since when the record is no longer there: it counts for seven days more. */
  missingSince: string | null;
  /** Without its secret. */
  identityProvider: IdentityProvider | null;
  /** Its people enter this project by the provider alone, but for members of whom it is said otherwise (ProjectMembership.signInWays). */
  enforced: boolean;
  joins: DomainJoins | null;
};

/** GET /admin/projects/{id}/domains, by name. `callbackUrl` is what the provider is told. */
export type MailDomainList = { callbackUrl: string; rows: MailDomainRow[] };
