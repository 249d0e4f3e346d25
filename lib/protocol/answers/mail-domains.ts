import type { IdentityProvider, SamlProvider } from '../fhir/client-types.ts';
import type { Reference } from '../fhir/types.ts';

/** As what somebody becomes a member at their first sign-in. Never as an administrator. */
export type DomainJoins = { profileType: 'Practitioner' | 'Patient'; accessPolicy: Reference };

/** A certificate that a SAML provider may sign by. `value`: base64 of its DER; `fingerprint`: SHA-256. It counts until it is taken out, also when its time is over. */
export type SamlCertificate = { value: string; fingerprint: string; startsAt: string; endsAt: string };

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
  /** Instead of an identityProvider. */
  samlProvider: (Omit<SamlProvider, 'certificates'> & { certificates: SamlCertificate[] }) | null;
  /** Its people enter this project by the provider alone, but for members of whom it is said otherwise (ProjectMembership.signInWays). */
  enforced: boolean;
  joins: DomainJoins | null;
};

/** As whom a SAML provider knows the project. The entity ID is also where our metadata is. */
export type SamlService = { entityId: string; acsUrl: string };

/** GET /admin/projects/{id}/domains, by name. `callbackUrl` is what an OpenID provider is told. */
export type MailDomainList = { callbackUrl: string; samlService: SamlService; rows: MailDomainRow[] };
