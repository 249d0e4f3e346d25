import type { Attachment, Base, Reference } from './types.ts';

export type IdentityProvider = {
  issuer?: string;
  audience?: string;
  jwksUrl?: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  tokenAuthMethod?: 'client_secret_basic' | 'client_secret_post';
  userInfoUrl?: string;
  userInfoMode?: 'oidc' | 'gcip';
  userInfoApiKey?: string;
  clientId?: string;
  clientSecret?: string;
  usePkce?: boolean;
  useSubject?: boolean;
  /** Ours: what it is asked for (`acr_values`), and how many seconds a sign-in there may be old. */
  acrValues?: string;
  maxAge?: number;
  /** Ours: which of its `acr` and `amr` count as two factors; where neither is named, what RFC 8176 has for them. */
  mfaAcr?: string[];
  mfaAmr?: string[];
  identitySource?: 'email' | 'subject' | 'fhir-user';
  identityMappingMode?:
    | 'user-email'
    | 'user-external-id'
    | 'project-membership-external-id'
    | 'project-membership-profile';
};

/** Who speaks for the addresses of a domain. Of the super-admin. */
/** Ours: who says by SAML 2.0 who somebody is. Certificates in base64 of their DER: it may sign by any of them. */
export type SamlProvider = {
  entityId: string;
  ssoUrl: string;
  certificates: string[];
  /** The attribute that has the address. Absent: the NameID is it. */
  emailAttribute?: string;
  givenNameAttribute?: string;
  familyNameAttribute?: string;
};

export type DomainConfiguration = Base<'DomainConfiguration'> & {
  domain: string;
  /** Which has shown that it is theirs, and alone is entered by its provider. Absent: the super-admin has said so, for all projects. */
  project?: Reference;
  identityProvider?: IdentityProvider;
  /** Instead of an identityProvider. */
  samlProvider?: SamlProvider;
  allowedPostLoginRedirectUrls?: string[];
};

export type ClientApplication = Base<'ClientApplication'> & {
  /** Absent = active. */
  status?: 'active' | 'off' | 'error';
  name?: string;
  description?: string;
  signInForm?: { welcomeString?: string; logo?: Attachment; showScopeSelection?: boolean };
  /** Accepted on the wire only: kept in a typed table, never in the stored resource. */
  secret?: string;
  /** As `secret`. */
  retiringSecret?: string;
  jwksUri?: string;
  redirectUris?: string[];
  redirectUri?: string;
  launchUri?: string;
  launchIdentifierSystems?: { resourceType: string; system: string }[];
  pkceOptional?: boolean;
  identityProvider?: IdentityProvider;
  /** Digits and one of s m h d w y. */
  accessTokenLifetime?: string;
  refreshTokenLifetime?: string;
  allowedOrigin?: string[];
  grantType?: string[];
  responseType?: string[];
  defaultScope?: string[];
  certificateTrustStore?: string;
  // Ours. A list that is not given limits nothing.
  /** Addresses and networks (CIDR) that its tokens are made and used from. */
  allowedAddress?: string[];
  /** More than these its tokens never say; none of them for resources: they reach none. */
  allowedScope?: string[];
  /** Absent = ES256. */
  idTokenSignedResponseAlg?: 'RS256' | 'ES256';
  /** RFC 7591 §2. Absent: it shows who it is, or not, as it has begun. */
  tokenEndpointAuthMethod?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  /** Who is responsible for it: a member of the project. */
  owner?: Reference;
};
