import { MOST_RESULTS } from './list-query.ts';
import { GROUP_SCHEMA, USER_SCHEMA } from './urns.ts';
import { USER_TYPES } from './user.ts';

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

/** What of SCIM is done here (RFC 7643 §5). */
export function serviceProviderConfig(base: string): Record<string, unknown> {
  return {
    schemas: [CONFIG],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description:
          'The token of a connection, or that of a program that is an administrator of the project (RFC 6750)',
        primary: true,
      },
      {
        type: 'httpbasic',
        name: 'HTTP Basic',
        description: 'Id and secret of a program that is an administrator of the project (RFC 7617)',
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** RFC 7643 §6. */
export function resourceTypes(base: string): Named[] {
  return [
    {
      schemas: [RESOURCE_TYPE],
      id: 'User',
      name: 'User',
      description: 'A person who is a member of the project',
      endpoint: '/Users',
      schema: USER_SCHEMA,
      meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
    },
    {
      schemas: [RESOURCE_TYPE],
      id: 'Group',
      name: 'Group',
      description: 'A group of a directory, to which administrators give access',
      endpoint: '/Groups',
      schema: GROUP_SCHEMA,
      meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/Group` },
    },
  ];
}

type Named = { id: string; name: string } & Record<string, unknown>;

/** What Users and Groups have (RFC 7643 §7). Attributes that are not named here are passed over. */
export function schemas(base: string): Named[] {
  return [
    {
      schemas: [SCHEMA],
      id: USER_SCHEMA,
      name: 'User',
      description: 'A person who is a member of the project',
      attributes: [
        text('userName', 'Unique in the project, whatever its case', { required: true, uniqueness: 'server' }),
        complex('name', 'As the record of this person says it', [
          text('formatted', 'The whole name'),
          text('familyName', 'Needed of who is new'),
          text('givenName', 'Needed of who is new'),
          text('middleName', ''),
          text('honorificPrefix', ''),
          text('honorificSuffix', ''),
        ]),
        text('displayName', 'The whole name, as lists show it'),
        text('userType', 'What the record is. It cannot change', {
          mutability: 'immutable',
          canonicalValues: USER_TYPES,
        }),
        {
          ...text('active', 'Who is not cannot enter, and is signed out everywhere'),
          type: 'boolean',
        },
        contacts('emails', 'The primary one of who is new is the address to sign in with'),
        contacts('phoneNumbers', ''),
        {
          ...complex('groups', 'The groups that they are in', [
            text('value', ''),
            text('$ref', ''),
            text('display', ''),
          ]),
          multiValued: true,
          mutability: 'readOnly',
        },
      ],
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${USER_SCHEMA}` },
    },
    {
      schemas: [SCHEMA],
      id: GROUP_SCHEMA,
      name: 'Group',
      description: 'A group of a directory, to which administrators give access',
      attributes: [
        text('displayName', 'Unique among the groups of its directory, whatever its case', {
          required: true,
          uniqueness: 'server',
        }),
        {
          ...complex('members', 'People of the project', [
            text('value', 'The id of a User', { mutability: 'immutable' }),
            text('$ref', '', { mutability: 'readOnly' }),
            text('type', '', { mutability: 'immutable', canonicalValues: ['User'] }),
          ]),
          multiValued: true,
        },
      ],
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${GROUP_SCHEMA}` },
    },
  ];
}

type Traits = { required?: boolean; mutability?: string; uniqueness?: string; canonicalValues?: readonly string[] };

function text(name: string, description: string, traits: Traits = {}) {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...traits,
  };
}

function complex(name: string, description: string, subAttributes: unknown[]) {
  const { caseExact: _, ...rest } = text(name, description);
  return { ...rest, type: 'complex', subAttributes };
}

function contacts(name: string, description: string) {
  const primary = { ...text('primary', 'The one that counts'), type: 'boolean' };
  const parts = [text('value', ''), text('type', 'work, home, mobile or other'), primary];
  return { ...complex(name, description, parts), multiValued: true };
}
