import fc, { type Arbitrary } from 'fast-check';
import { definitions } from '#lib/http/fhir/operations/mounted.ts';
import { resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import { type FuzzBody, makeBody } from './make-body.ts';
import { makeQuery, value, written } from './make-query.ts';

/** As it goes over the wire: nothing tidies it up. */
export type FuzzRequest = { method: string; target: string; headers: Record<string, string>; body?: FuzzBody };

/** `ids`: some that are there, as `Type/id`, beside such as are not. */
export function makeRequest(ids: readonly string[]): Arbitrary<FuzzRequest> {
  return fc.tuple(makeLine(ids), headers).chain(([[method, target], headers]) => {
    const asked = { method, target, headers: { 'content-type': typeOf(method, target), ...headers } };
    return method === 'GET' ? fc.constant(asked) : makeBody(ids, asked).map((body) => ({ ...asked, body }));
  });
}

/** What such a request has for a body, by rights. */
function typeOf(method: string, target: string): string {
  if (method === 'PATCH') return 'application/json-patch+json';
  return target.includes('/_search') ? 'application/x-www-form-urlencoded' : 'application/fhir+json';
}

type Line = [method: string, target: string];

/** Mostly what is done with a method, and anything now and then. */
function makeLine(ids: readonly string[]): Arbitrary<Line> {
  const [known, wild] = [fc.constantFrom(...ids), fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'HEAD', 'OPTIONS')];
  const asked = (method: string, path: Arbitrary<string>, of = type): Arbitrary<Line> =>
    fc.tuple(path, of.chain(makeQuery)).map(([text, query]) => [method, `/fhir/R4${text && `/${text}`}?${query}`]);
  const plain = (method: string, path: Arbitrary<string>): Arbitrary<Line> =>
    path.map((text) => [method, `/fhir/R4${text && `/${text}`}`]);
  const search = type.chain((of) => asked('GET', fc.constant(of), fc.constant(of)));
  const operation = fc.constantFrom('GET', 'POST').chain((method) => asked(method, makeOperation(ids)));
  return fc.oneof(
    { weight: 6, arbitrary: search },
    {
      weight: 2,
      arbitrary: plain(
        'POST',
        type.map((of) => `${of}/_search`),
      ),
    },
    { weight: 4, arbitrary: plain('POST', type) },
    { weight: 2, arbitrary: plain('PUT', known) },
    { weight: 1, arbitrary: asked('PUT', type) },
    { weight: 3, arbitrary: plain('PATCH', known) },
    { weight: 1, arbitrary: asked('PATCH', type) },
    { weight: 3, arbitrary: plain('POST', fc.constant('')) },
    { weight: 5, arbitrary: operation },
    { weight: 1, arbitrary: asked('DELETE', type) },
    { weight: 5, arbitrary: makeTarget(ids).map((target): Line => ['GET', target]) },
    { weight: 2, arbitrary: fc.tuple(wild, makeTarget(ids)) },
  );
}

/** Each that is mounted, where it is: of a type, or of all. */
const operations = definitions().flatMap(({ code, resource, at }) => {
  const types = resource === 'Resource' ? ['Patient', 'Observation'] : [resource];
  return [
    ...(at.includes('system') ? [`$${code}`] : []),
    ...(at.includes('type') ? types.map((of) => `${of}/$${code}`) : []),
  ];
});

function makeOperation(ids: readonly string[]): Arbitrary<string> {
  const own = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...OPERATIONS)).map((both) => both.join('/'));
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...operations) }, own);
}

const MOST_USED = ['Patient', 'Observation', 'Encounter', 'ValueSet', 'CodeSystem', 'Bot', 'Subscription', 'Binary'];
const NO_TYPES = ['Nonsense', '__proto__', 'constructor', 'patient', 'Resource', 'DomainResource', ''];
const type = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...MOST_USED) },
  { weight: 3, arbitrary: fc.constantFrom(...resourceTypes()) },
  { weight: 1, arbitrary: fc.constantFrom(...NO_TYPES) },
);
const OPERATIONS = [...new Set(definitions().map(({ code }) => `$${code}`)), '$nonsense', '$', '%24expand'];

function makeTarget(ids: readonly string[]): Arbitrary<string> {
  const id = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids.map((known) => known.slice(known.indexOf('/') + 1))) },
    { weight: 1, arbitrary: value.chain(written) },
  );
  const operation = fc.constantFrom(...OPERATIONS);
  const known = fc.constantFrom(...ids);
  const places: ((of: string) => Arbitrary<string>)[] = [
    (of) => fc.constant(of),
    (of) => fc.constant(of),
    (of) => fc.constant(`${of}/_search`),
    (of) => id.map((text) => `${of}/${text}`),
    () => known,
    () => known.map((text) => `${text}/_history`),
    () => fc.tuple(known, value.chain(written)).map(([text, version]) => `${text}/_history/${version}`),
    () => fc.tuple(known, operation).map((both) => both.join('/')),
    (of) => operation.map((name) => `${of}/${name}`),
    (of) => fc.tuple(known, fc.constantFrom(of, '*', 'Observation')).map((both) => both.join('/')),
    (of) => known.map((text) => `${text}/${of}/_search`),
    (of) => fc.constant(`${of}/_history`),
    () =>
      fc.constantFrom('', '/', '_history', '_search', 'metadata', 'job/x/status', '.well-known/smart-configuration'),
    () => fc.array(value.chain(written), { maxLength: 6 }).map((parts) => parts.join('/')),
  ];
  return type.chain((of) =>
    fc
      .tuple(fc.oneof(...places.map((place) => place(of))), makeQuery(of))
      .map(([path, query]) => `/fhir/R4${path && `/${path}`}${query && `?${query}`}`),
  );
}

/** What a header may hold. */
const inHeader = value.map((text) => text.replaceAll(/[^ -~]/g, ''));
const orAny = (...known: string[]) => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, inHeader);
const otherTypes = orAny(
  'application/x-www-form-urlencoded',
  'application/fhir+xml',
  'text/plain; charset=x',
  'multipart/form-data',
);
const known: Record<string, Arbitrary<string>> = {
  accept: orAny(
    'application/fhir+json',
    '*/*',
    'application/fhir+xml',
    'text/html;q=x',
    '*/*;q=0',
    ',;=',
    'a'.repeat(4000),
  ),
  'if-match': orAny('W/"1"', '"1"', 'W/"999999999999999999999"', '*', 'W/', 'W/"-1"', '""'),
  'if-none-match': orAny('W/"1"', '*', '"x", W/"1"', 'W/"1e9"'),
  'if-modified-since': orAny('Wed, 21 Oct 2015 07:28:00 GMT', 'x', '2020', 'Wed, 99 Oct 99999 07:28:00 GMT'),
  'if-none-exist': orAny('identifier=a|b', 'name=x&birthdate=2020', '?', '_id=1', 'patient.name=x', '%zz', '&&='),
  prefer: orAny(
    'return=minimal',
    'return=OperationOutcome',
    'respond-async',
    'handling=lenient',
    'handling=strict',
    ',;=,',
  ),
  'accept-encoding': orAny('gzip', 'br', 'zstd', 'gzip;q=0', '*', 'identity;q=0, *;q=0'),
  'content-encoding': orAny('gzip', 'br', 'deflate', 'zstd', 'identity', 'gzip, gzip'),
  'x-medplum': orAny('extended'),
  'x-medplum-on-behalf-of': orAny('ClientApplication/x', 'Practitioner/', '__proto__'),
  'idempotency-key': orAny('x', '"'),
  range: orAny('bytes=0-0', 'bytes=-1', 'bytes=9-1', 'bytes=x', 'bytes=0-,0-'),
  origin: orAny('http://localhost', 'null', 'http://['),
  'accept-language': orAny('de', 'x;q=', '*'),
};
/** Few at once, or nothing would get past them. */
const headers = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constant({}) },
      otherTypes.map((text) => ({ 'content-type': text })),
    ),
    fc
      .oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.subarray(Object.keys(known), { minLength: 1, maxLength: 2 }))
      .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, known[name]!])))),
  )
  .map(([type, others]): Record<string, string> => ({ ...type, ...others }));
