import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { makeQuery, value } from './make-query.ts';

export type FuzzBody = string | Buffer;

type Json = Record<string, unknown>;

/** JSON that is a resource, or nearly, or nothing of the kind; forms; and bytes. */
export function makeBody(
  ids: readonly string[],
  { method, target }: { method: string; target: string },
): Arbitrary<FuzzBody> {
  const fitting = fittingBody(ids, method, target);
  const json = fc.oneof({ weight: 6, arbitrary: fitting }, { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) });
  return fc.oneof(
    { weight: 12, arbitrary: json },
    { weight: 3, arbitrary: json.chain(torn) },
    { weight: 1, arbitrary: fc.oneof(broken(ids), patch, parameters(ids), bundle(ids), makeQuery('Patient')) },
    { weight: 1, arbitrary: json.map((text) => gzipSync(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  );
}

/** Of the kind that is read there. */
function fittingBody(ids: readonly string[], method: string, target: string): Arbitrary<string> {
  const path = target.slice('/fhir/R4'.length).split('?')[0]!;
  if (method === 'PATCH') return patch;
  if (path.includes('_search')) return makeQuery('Patient');
  if (path.length < 2) return bundle(ids);
  if (path.includes('$')) return fc.oneof(parameters(ids), broken(ids));
  const [, type] = path.split('/');
  return broken(
    ids,
    SOUND.find(({ resourceType }) => resourceType === type),
  );
}

/** What is right, for something to be wrong in. */
const SOUND: Json[] = [
  {
    resourceType: 'Patient',
    identifier: [{ system: 'urn:a', value: 'b' }],
    name: [{ family: 'Fuzz', given: ['A'], period: { start: '2020-01-01' } }],
    birthDate: '1980-02-29',
    _birthDate: { extension: [{ url: 'urn:x', valueDateTime: '1980-02-29T01:00:00Z' }] },
    contact: [{ name: { text: 'x' } }],
    contained: [{ resourceType: 'Organization', id: 'o', name: 'x' }],
    managingOrganization: { reference: '#o' },
    text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' },
    meta: { tag: [{ code: 't' }], profile: ['http://x/p'], security: [{ code: 's' }] },
  },
  {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '1-8' }], text: 'x' },
    subject: { reference: 'Patient/x' },
    effectivePeriod: { start: '2020', end: '2021' },
    valueQuantity: { value: 1.5, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg' },
    component: [{ code: { text: 'y' }, valueCodeableConcept: { text: 'z' } }],
  },
  {
    resourceType: 'ValueSet',
    url: 'http://x/vs',
    status: 'active',
    compose: { include: [{ system: 'http://x/cs', filter: [{ property: 'p', op: '=', value: 'v' }] }] },
    expansion: { timestamp: '2020-01-01', contains: [{ system: 'http://x/cs', code: 'a', contains: [{ code: 'b' }] }] },
  },
  {
    resourceType: 'CodeSystem',
    url: 'http://x/cs',
    status: 'active',
    content: 'complete',
    concept: [{ code: 'a', concept: [{ code: 'b', display: 'B', property: [{ code: 'p', valueString: 'v' }] }] }],
  },
  {
    resourceType: 'StructureDefinition',
    url: 'http://x/p',
    name: 'P',
    status: 'active',
    kind: 'resource',
    abstract: false,
    type: 'Patient',
    baseDefinition: 'http://hl7.org/fhir/StructureDefinition/Patient',
    derivation: 'constraint',
    differential: { element: [{ id: 'Patient.name', path: 'Patient.name', min: 1, constraint: [] }] },
  },
  {
    resourceType: 'Subscription',
    status: 'requested',
    reason: 'x',
    criteria: 'Observation?code=x',
    channel: { type: 'rest-hook', endpoint: 'https://x.example/y', payload: 'application/fhir+json' },
  },
  { resourceType: 'AccessPolicy', name: 'x', resource: [{ resourceType: 'Patient', criteria: 'Patient?name=x' }] },
  { resourceType: 'Location', position: { latitude: 1, longitude: 2 }, status: 'active' },
  { resourceType: 'Binary', contentType: 'text/plain', data: 'eA==' },
];

const leaf = fc.oneof(
  value,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom<unknown>(null, [], {}, [null], [[]], [[[{}]]], { extension: [{}] }, 1e308, -0, 2 ** 53),
);

function broken(ids: readonly string[], fitting?: Json): Arbitrary<string> {
  const place = fc.array(fc.nat(9), { minLength: 1, maxLength: 5 });
  const change = fc.tuple(place, fc.constantFrom('set', 'drop', 'add', 'wrap', 'rename'), leaf, value);
  const id = fc.option(fc.oneof(fc.constantFrom(...ids.map((known) => known.slice(known.indexOf('/') + 1))), value));
  return fc
    .tuple(fitting ? fc.constant(fitting) : fc.constantFrom(...SOUND), fc.array(change, { maxLength: 3 }), id)
    .map(([sound, changes, own]) => {
      const resource = structuredClone(own === null ? sound : { ...sound, id: own });
      for (const [path, how, what, name] of changes) breakAt(resource, path, { how, what, name });
      return JSON.stringify(resource);
    });
}

function breakAt(root: Json, path: number[], { how, what, name }: { how: string; what: unknown; name: string }): void {
  let at = root;
  for (const [depth, step] of path.entries()) {
    const keys = Object.keys(at);
    const key = keys[step % Math.max(keys.length, 1)];
    if (key === undefined) return;
    const next = at[key];
    if (depth < path.length - 1 && typeof next === 'object' && next !== null) {
      at = next as Json;
      continue;
    }
    if (how === 'set') at[key] = what;
    if (how === 'drop') delete at[key];
    if (how === 'add')
      Object.defineProperty(at, name, { value: what, enumerable: true, configurable: true, writable: true });
    if (how === 'wrap') at[key] = [next, [next]];
    if (how === 'rename') at[`_${key}`] = next;
    return;
  }
}

const pointer = fc.oneof(
  fc.constantFrom('', '/', '/name/0/family', '/name/-', '/name/99', '/id', '/resourceType', '/meta/project', '/a~2b'),
  fc.constantFrom('/__proto__/x', '/constructor/prototype/x', '/name/1e3', '/name/01', '/name/0/0/0', 'name', '//'),
  value.map((text) => `/${text}`),
);
const step = fc.record(
  {
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', '_get', 'x'),
    path: fc.oneof(pointer, leaf),
    from: pointer,
    value: leaf,
  },
  { requiredKeys: ['op'] },
);
const patch = fc
  .oneof({ weight: 5, arbitrary: fc.array(step, { maxLength: 5 }) }, leaf)
  .map((all) => JSON.stringify(all));

function parameters(ids: readonly string[]): Arbitrary<string> {
  const names = [
    'resource',
    'mode',
    'profile',
    'url',
    'system',
    'code',
    'coding',
    'codeableConcept',
    'valueSet',
    'filter',
  ];
  const parameter = fc.tuple(fc.constantFrom(...names), fc.constantFrom('valueUri', 'valueCode', 'valueCoding'), leaf);
  return fc.tuple(fc.array(parameter, { maxLength: 4 }), broken(ids)).map(([all, text]) => {
    const parameter = all.map(([name, choice, what]) => ({ name, [choice]: what }));
    return JSON.stringify({
      resourceType: 'Parameters',
      parameter: [...parameter, { name: 'resource', resource: JSON.parse(text) }],
    });
  });
}

function bundle(ids: readonly string[]): Arbitrary<string> {
  const url = fc.oneof(
    fc.constantFrom(...ids),
    fc.constantFrom(
      'Patient',
      'Observation',
      'Patient?identifier=urn:a|b',
      '',
      '/',
      '$x',
      'Patient/$validate',
      '_history',
    ),
    value,
  );
  const request = fc.record(
    {
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'x'),
      url: fc.oneof(
        url,
        makeQuery('Patient').map((query) => `Patient?${query}`),
      ),
      ifNoneExist: value,
      ifMatch: value,
      ifNoneMatch: value,
    },
    { requiredKeys: ['method', 'url'] },
  );
  const entry = fc.tuple(request, fc.option(broken(ids)), fc.constantFrom('urn:uuid:a', 'urn:uuid:b', undefined));
  return fc
    .tuple(fc.constantFrom('batch', 'transaction', 'x'), fc.array(entry, { maxLength: 4 }))
    .map(([type, all]) => {
      const entry = all.map(([request, text, fullUrl]) => ({
        request,
        fullUrl,
        ...(text && { resource: JSON.parse(text) }),
      }));
      return JSON.stringify({ resourceType: 'Bundle', type, entry });
    });
}

/** JSON text with a piece out, in, or twice. */
function torn(text: string): Arbitrary<string> {
  const pieces = [
    '"',
    '{',
    '[',
    ',',
    '\\',
    '\\ud800',
    '1e999',
    '-',
    '01',
    '\u0000',
    '{"a":1,"a":2}',
    '\ufeff',
    '"id":"x",',
  ];
  return fc
    .tuple(fc.nat(text.length), fc.nat(20), fc.oneof(fc.constantFrom(...pieces), value, fc.constant('['.repeat(5000))))
    .map(([at, length, piece]) => text.slice(0, at) + piece + text.slice(at + (length > 10 ? 0 : length)));
}
