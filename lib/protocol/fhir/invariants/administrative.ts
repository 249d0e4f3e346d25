import { child, has, hasAny, isDistinct, items, type Node, type Rules } from './node.ts';

const PAST = ['history', 'searchset'];

const needs =
  (...names: string[]) =>
  (node: Node) =>
    hasAny(node, ...names);
const notBoth = (one: string, other: string) => (node: Node) => !has(node, one) || !has(node, other);
const isNamed = needs('identifier', 'name');
const noneAtHome = (name: string) => (node: Node) => items(node, name).every(({ use }) => use !== 'home');
const first = (node: Node) => items(node, 'entry').at(0)?.resource as Node | undefined;
const eachWith = (name: string, types: readonly string[]) => (node: Node) =>
  items(node, 'entry').every((entry) => has(entry, name) === types.includes(String(node.type)));

/** Invariants of people, organizations, appointments and bundles. */
export const ADMINISTRATIVE: Rules = {
  Appointment: {
    'app-2': (node) => has(node, 'start') === has(node, 'end'),
    'app-3': (node) =>
      (has(node, 'start') && has(node, 'end')) || ['proposed', 'cancelled', 'waitlist'].includes(String(node.status)),
    'app-4': (node) => !has(node, 'cancelationReason') || ['no-show', 'cancelled'].includes(String(node.status)),
  },
  'Appointment.participant': { 'app-1': needs('type', 'actor') },
  AppointmentResponse: { 'apr-1': needs('participantType', 'actor') },
  'AuditEvent.entity': { 'sev-1': notBoth('name', 'query') },
  Bundle: {
    'bdl-1': (node) => !has(node, 'total') || PAST.includes(String(node.type)),
    'bdl-2': (node) => node.type === 'searchset' || !items(node, 'entry').some((entry) => has(entry, 'search')),
    'bdl-3': eachWith('request', ['batch', 'transaction', 'history']),
    'bdl-4': eachWith('response', ['batch-response', 'transaction-response', 'history']),
    'bdl-7': (node) => node.type === 'history' || isDistinct(versions(node)),
    'bdl-9': (node) => {
      const identifier = child(node, 'identifier') ?? {};
      return node.type !== 'document' || (has(identifier, 'system') && has(identifier, 'value'));
    },
    'bdl-10': (node) => node.type !== 'document' || node.timestamp !== undefined,
    'bdl-11': (node) => node.type !== 'document' || first(node)?.resourceType === 'Composition',
    'bdl-12': (node) => node.type !== 'message' || first(node)?.resourceType === 'MessageHeader',
  },
  'Bundle.entry': {
    'bdl-5': needs('resource', 'request', 'response'),
    'bdl-8': (node) => !String(node.fullUrl ?? '').includes('/_history/'),
  },
  Consent: { 'ppc-1': needs('policy', 'policyRule') },
  Group: { 'grp-1': (node) => !has(node, 'member') || node.actual === true },
  InsurancePlan: { 'ipn-1': isNamed },
  Linkage: { 'lnk-1': (node) => items(node, 'item').length > 1 },
  Organization: { 'org-1': isNamed, 'org-2': noneAtHome('address'), 'org-3': noneAtHome('telecom') },
  'Parameters.parameter': {
    'inv-1': (node) => {
      const names = Object.keys(node).map((key) => key.replace(/^_/, ''));
      const values = new Set(names.filter((key) => /^value[A-Z]/.test(key) || key === 'resource' || key === 'part'));
      return values.size === 1;
    },
  },
  'Patient.contact': { 'pat-1': needs('name', 'telecom', 'address', 'organization') },
};

/** fullUrl and version of each entry that has the first. */
function versions(node: Node): string[] {
  const named = items(node, 'entry').filter((entry) => entry.fullUrl !== undefined);
  return named.map(({ fullUrl, resource }) => `${fullUrl} ${child((resource ?? {}) as Node, 'meta')?.versionId ?? ''}`);
}
