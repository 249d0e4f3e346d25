import { MOST_ENTRIES } from '#lib/protocol/fhir/bundle-limits.ts';
import { compartmentOwners } from '#lib/protocol/fhir/index/compartments.ts';
import { searchParamsOf } from '#lib/protocol/fhir/index/search-params.ts';
import { SOCKET_PATH } from '#lib/protocol/fhir/socket-path.ts';
import { resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import { TEXT_SEARCH } from '#lib/protocol/text-search.ts';
import { UPDATE_CREATE } from '#lib/protocol/update-create.ts';
import { endpointsOf } from '../oauth/endpoints.ts';
import { hasHistory } from './history/read-changes.ts';
import type { TypeRule } from './type-rule.ts';
import { ruleOf } from './type-rules.ts';

/** Kept by the platform for itself: no interaction at all. */
const INTERNAL = new Set(['Login', 'JsonWebKey']);
const ALWAYS = ['read', 'vread', 'history-instance', 'search-type'];
const CLOSABLE = { create: ['create'], update: ['update', 'patch'], delete: ['delete'] } as const;
const WEBSOCKET = 'http://hl7.org/fhir/StructureDefinition/capabilitystatement-websocket';
/** Ours, so it changes with what the statement says. */
export const DATE = '2026-11-26';

/** What differs from project to project, of which nobody is told here, and what R4 leaves to a server. */
const DOCUMENTATION = [
  'Each project has resources of its own.',
  `A PUT to an id that is free is 404, and updateCreate is false, unless the project has the setting ${UPDATE_CREATE}.`,
  'An update that changes nothing keeps the version; one that does replaces profile, tag and security too. A PUT to a deleted resource brings it back.',
  'Search parameters that are unknown are refused, unless the caller says Prefer: handling=lenient; of a conditional interaction always.',
  `Every type but the platform's own, AuditEvent and Binary has _content, and _text where it has a narrative, in a project with the setting ${TEXT_SEARCH}.`,
  'A history has _count, _since (inclusive), _at and, of all types, _type; its total is told where one page holds all of it.',
  'Bodies may be gzip, within the limit on what they unpack to.',
].join(' ');

/** `$name` on a type or its instances, Resource for every type, '' for the system, and the address of its definition. `isUpdate`: it is where an update is. */
export type NamedOperation = { type: string; name: string; definition: string; isUpdate: boolean };

/** What this server does over FHIR (R4 CapabilityStatement): nothing in it that does not work. */
export function capabilityStatement(fhirBase: string, operations: NamedOperation[]): Record<string, unknown> {
  const operationsOf = (type: string) =>
    operations
      .filter((operation) => operation.type === type || (operation.type === 'Resource' && type !== ''))
      .filter(({ isUpdate }) => !isUpdate || type === '' || !('update' in (ruleOf(type).closed ?? {})))
      .map(({ name, definition }) => ({ name, definition }));
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: DATE,
    kind: 'instance',
    software: { name: 'Gatehouse' },
    implementation: { description: 'Gatehouse', url: fhirBase },
    instantiates: ['http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data'],
    fhirVersion: '4.0.1',
    format: ['json', 'application/fhir+json'],
    patchFormat: ['application/json-patch+json', 'application/fhir+json'],
    rest: [
      {
        mode: 'server',
        extension: [{ url: WEBSOCKET, valueUri: new URL(SOCKET_PATH, fhirBase).href.replace(/^http/, 'ws') }],
        documentation: DOCUMENTATION,
        security: security(new URL(fhirBase).origin),
        compartment: compartmentOwners().map(compartmentDefinition),
        resource: resourceTypes()
          .filter((type) => !INTERNAL.has(type))
          .map((type) => resource(type, ruleOf(type), operationsOf(type))),
        searchParam: ['_filter', '_list'].map((name) => ({ name, type: 'special' })),
        interaction: [
          ...['transaction', 'batch'].map((code) => ({ code, documentation: `At most ${MOST_ENTRIES} entries` })),
          { code: 'history-system' },
          { code: 'search-system' },
        ],
        operation: operationsOf(''),
      },
    ],
  };
}

/** References that name this type among those that they may lead to; those to any type are too many to be listed. */
function referringTo(target: string): string[] {
  return resourceTypes()
    .filter((type) => !INTERNAL.has(type) && !ruleOf(type).elsewhere)
    .flatMap((type) => searchParamsOf(type).filter(({ supported, targets }) => supported && targets.includes(target)))
    .map(({ base, code }) => `${base}:${code}`);
}

function compartmentDefinition(type: string): string {
  return `http://hl7.org/fhir/CompartmentDefinition/${type.charAt(0).toLowerCase()}${type.slice(1)}`;
}

function security(origin: string): Record<string, unknown> {
  const coding = [{ system: 'http://terminology.hl7.org/CodeSystem/restful-security-service', code: 'SMART-on-FHIR' }];
  const { authorization_endpoint: authorize, token_endpoint: token } = endpointsOf(origin);
  const uris = Object.entries({ authorize, token }).map(([url, valueUri]) => ({ url, valueUri }));
  return {
    cors: true,
    service: [{ coding }],
    extension: [{ url: 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris', extension: uris }],
  };
}

function resource(type: string, { closed = {}, elsewhere }: TypeRule, operation: object[]): Record<string, unknown> {
  const open = Object.entries(CLOSABLE).flatMap(([name, codes]) => (name in closed ? [] : codes));
  const isKnown = (code: string, supported: boolean) => (elsewhere ? elsewhere.params.includes(code) : supported);
  const params = searchParamsOf(type).filter(({ code, supported }) => isKnown(code, supported));
  const references = elsewhere
    ? []
    : params.filter((param) => param.type === 'reference').map((param) => `${type}:${param.code}`);
  return {
    type,
    interaction: [...ALWAYS, ...(hasHistory(type) ? ['history-type'] : []), ...open].map((code) => ({ code })),
    versioning: 'versioned-update',
    readHistory: !elsewhere,
    updateCreate: false,
    conditionalCreate: !('create' in closed),
    conditionalRead: 'full-support',
    conditionalUpdate: !('update' in closed),
    conditionalDelete: 'delete' in closed ? 'not-supported' : 'single',
    ...(references.length > 0 ? { searchInclude: ['*', ...references] } : {}),
    ...(elsewhere ? {} : { searchRevInclude: ['*', ...referringTo(type)] }),
    searchParam: [
      ...params.map((param) => ({ name: param.code, type: param.type })),
      ...(type === 'ProjectMembership' ? [{ name: 'status', type: 'token' }] : []),
    ],
    ...(operation.length > 0 ? { operation } : {}),
  };
}
