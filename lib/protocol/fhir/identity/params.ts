import type { SearchParamType } from '../search-param-type.ts';

export type ParamSpec = {
  base: string;
  /** Stable within the base type: part of the data format. */
  number: number;
  code: string;
  type: SearchParamType;
  expression: string;
  targets?: readonly string[];
  /** Codes match whatever their case (addresses). */
  ignoreCase?: boolean;
  /** The coded value that an absent element stands for. */
  whenAbsent?: string;
  /** Dotted paths of texts: `_sort` goes by the first that is there, instead of the smallest of all values. */
  sortedBy?: readonly string[];
  /** Of a composite: `type:expression` of each part. */
  components?: readonly string[];
};

/** Search parameters of every type. `_id` and `_lastUpdated` are columns of the row, not index entries. */
export const COMMON_PARAMS: Omit<ParamSpec, 'base'>[] = [
  { number: 1, code: '_id', type: 'token', expression: 'Resource.id' },
  { number: 2, code: '_lastUpdated', type: 'date', expression: 'Resource.meta.lastUpdated' },
  { number: 3, code: '_tag', type: 'token', expression: 'Resource.meta.tag' },
  { number: 4, code: '_profile', type: 'uri', expression: 'Resource.meta.profile' },
  { number: 5, code: '_security', type: 'token', expression: 'Resource.meta.security' },
  { number: 6, code: '_source', type: 'uri', expression: 'Resource.meta.source' },
  // The references that make a resource a member of a compartment are added to these: see compartments.ts.
  { number: 7, code: '_compartment', type: 'reference', expression: 'Resource.meta.account|Resource.meta.accounts' },
];

const PRINCIPALS = ['Bot', 'ClientApplication', 'User'];
const PROFILES = ['Bot', 'ClientApplication', 'Patient', 'Practitioner', 'RelatedPerson'];

/** The platform's own types (api.md §2.4, §3). Append; never renumber. */
export const IDENTITY_PARAMS: ParamSpec[] = [
  membership(20, 'project', 'reference', 'project', { targets: ['Project'] }),
  membership(21, 'user', 'reference', 'user', { targets: PRINCIPALS }),
  membership(22, 'profile', 'reference', 'profile', { targets: PROFILES }),
  membership(23, 'profile-type', 'token', 'profile'),
  membership(24, 'user-name', 'string', 'userName'),
  membership(25, 'external-id', 'string', 'externalId'),
  {
    ...membership(26, 'access-policy', 'reference', 'accessPolicy', { targets: ['AccessPolicy'] }),
    expression: 'ProjectMembership.accessPolicy|ProjectMembership.access.policy',
  },
  membership(27, 'identifier', 'token', 'identifier'),
  membership(28, 'admin', 'token', 'admin', { whenAbsent: 'false' }),
  membership(29, 'active', 'token', 'active', { whenAbsent: 'true' }),
  // Ours (contract §2.4): a person as the console shows them, by name or address.
  membership(30, 'name', 'string', 'profile.display|ProjectMembership.user.display', {
    sortedBy: ['profile.display', 'user.display'],
  }),
  own('User', 20, 'identifier', 'token', 'identifier'),
  own('User', 21, 'email', 'token', 'email', { ignoreCase: true }),
  own('User', 22, 'external-id', 'token', 'externalId'),
  own('User', 23, 'project', 'reference', 'project', { targets: ['Project'] }),
  own('User', 24, 'name', 'string', 'firstName|User.lastName'),
  own('Project', 20, 'identifier', 'token', 'identifier'),
  own('Project', 21, 'name', 'string', 'name'),
  own('Project', 22, 'owner', 'reference', 'owner', { targets: ['User'] }),
  own('Project', 23, 'features', 'token', 'features'),
  own('Project', 24, 'link', 'reference', 'link.project', { targets: ['Project'] }),
  own('Project', 25, 'google-client-id', 'token', 'site.googleClientId'),
  own('Project', 26, 'recaptcha-site-key', 'token', 'site.recaptchaSiteKey'),
  own('Bot', 20, 'identifier', 'token', 'identifier'),
  own('Bot', 21, 'name', 'string', 'name'),
  own('Bot', 22, 'category', 'token', 'category'),
  own('Bot', 23, 'cds-hook', 'token', 'cdsService.hook'),
  own('ClientApplication', 20, 'name', 'string', 'name'),
  own('ClientApplication', 21, 'identity-provider-issuer', 'token', 'identityProvider.issuer'),
  own('ClientApplication', 22, 'status', 'token', 'status', { whenAbsent: 'active' }),
  own('AccessPolicy', 20, 'name', 'string', 'name'),
  own('UserSecurityRequest', 20, 'user', 'reference', 'user', { targets: ['User'] }),
  own('Login', 20, 'user', 'reference', 'user', { targets: PRINCIPALS }),
  own('Login', 21, 'project', 'reference', 'project', { targets: ['Project'] }),
  own('DomainConfiguration', 20, 'domain', 'token', 'domain', { ignoreCase: true }),
  own('JsonWebKey', 20, 'active', 'token', 'active'),
  own('AsyncJob', 20, 'type', 'token', 'type'),
  own('AsyncJob', 21, 'status', 'token', 'status'),
];

type Options = Pick<ParamSpec, 'targets' | 'ignoreCase' | 'whenAbsent' | 'sortedBy'>;

function membership(number: number, code: string, type: SearchParamType, path: string, options?: Options): ParamSpec {
  return own('ProjectMembership', number, code, type, path, options);
}

function own(
  base: string,
  number: number,
  code: string,
  type: SearchParamType,
  path: string,
  options?: Options,
): ParamSpec {
  return { base, number, code, type, expression: `${base}.${path}`, ...options };
}
