import fc from 'fast-check';
import { condition, type Question } from './make-question.ts';

const of = (...list: string[]) => fc.constantFrom(...list);
const some = <T>(...list: T[]) => fc.subarray(list, { maxLength: 2 });
const PATIENT = of('Patient/patient-0', 'Patient/patient-1', 'Patient/patient-2', 'Patient/patient-3');
const ENCOUNTER = of('Encounter/encounter-0', 'Encounter/encounter-1');
const NAMED = fc.oneof(
  PATIENT,
  ENCOUNTER,
  of('Practitioner/practitioner-0', 'Practitioner/practitioner-1', 'Observation/observation-0'),
  of('Observation/observation-1', 'List/list-0', 'List/list-1', 'Group/group-0', 'Group/group-1'),
  of('Binary/binary-0', 'Binary/binary-1', 'Binary/binary-2', 'ValueSet/valueset-0', 'CodeSystem/codesystem-0'),
  of('ConceptMap/conceptmap-0', 'StructureDefinition/structuredefinition-0'),
);
const SINCE = of('_since=2020-01-01T00:00:00Z', '_since=2999-01-01T00:00:00Z', '_at=2999-01-01T00:00:00Z');
const AT_ALL = fc.oneof({ weight: 8, arbitrary: fc.constant('self') }, of('behalf', 'bot')) as fc.Arbitrary<
  NonNullable<Question['way']>
>;

const query = (path: string, parts: string[]) => (parts.length > 0 ? `${path}?${parts.join('&')}` : path);
const withQuery = (path: fc.Arbitrary<string>, ...parts: string[]) =>
  fc.tuple(path, some(...parts)).map(([at, list]) => query(at, list));

/** What leads over several types, or by what stands elsewhere. */
const everywhere = fc.oneof(
  withQuery(
    fc.oneof(PATIENT, ENCOUNTER).map((path) => `${path}/$everything`),
    ...['start=1970', 'end=2000-01-01', '_since=2020-01-01T00:00:00Z', '_type=Observation,Patient', '_count=2'],
  ),
  withQuery(
    NAMED.map((path) => `${path}/_history`),
    '_count=1',
    '_since=2020-01-01T00:00:00Z',
  ),
  fc
    .tuple(of('Patient/', 'Observation/', 'Binary/', 'List/', ''), SINCE, of('_count=2', '_count=50'))
    .map(([type, since, count]) => `${type}_history?${since}&${count}`),
  of('Patient?_list=list-0', 'Patient?_list=list-1&_total=accurate', 'Patient?_list=list-0&_sort=name'),
  of('Observation?patient._list=list-0', 'List?item=Patient/patient-1', 'List?title=Ada', 'List?item.name=Ada'),
  of('Patient?_has:List:item:title=Ada', 'Patient?_has:Group:member:identifier=A', 'Group?member=Patient/patient-1'),
  of('List?_include=List:item', 'Patient?_revinclude=List:item', 'Group?_include=Group:member', 'Group?_sort=_id'),
  of('Binary', 'Binary?_total=accurate', 'Binary?_count=1', 'ValueSet?url=urn:set-0', 'CodeSystem?code=c1'),
  of('Patient?_text=Ada', 'Patient?_content=Ada', 'Patient?_count=1&_sort=gender', 'Observation?_count=2&_sort=-date'),
  of('Observation?code:in=urn:set-0', 'Observation?code:in=urn:set-1', 'Observation?code:not-in=urn:set-0'),
  of('Observation?code:below=urn:own|c1', 'Observation?code:above=urn:c|c2', 'Observation?code:text=Sugar'),
  NAMED,
  NAMED.map((path) => `${path}/$meta`),
  of('$meta', 'Patient/$meta', 'Observation/$meta'),
  of('StructureDefinition/$expand-profile?url=urn:profile', 'StructureDefinition/$expand-profile?url=urn:nosuch'),
);

const terminology = fc.oneof(
  of('ValueSet/$expand?url=urn:set-0', 'ValueSet/$expand?url=urn:set-1', 'ValueSet/$expand?url=urn:set-1&filter=su'),
  of('ValueSet/valueset-0/$expand', 'ValueSet/valueset-1/$expand', 'ValueSet/$expand?url=urn:own?fhir_vs'),
  of('CodeSystem/$lookup?system=urn:own&code=c1', 'CodeSystem/$lookup?system=urn:c&code=c1'),
  of('CodeSystem/$validate-code?url=urn:own&code=c2', 'CodeSystem/codesystem-0/$validate-code?code=c1'),
  of(
    'ValueSet/$validate-code?url=urn:set-0&system=urn:c&code=c1',
    'ValueSet/valueset-1/$validate-code?code=c1&system=urn:c',
  ),
  of(
    'ConceptMap/$translate?url=urn:map&system=urn:c&code=c1',
    'ConceptMap/conceptmap-0/$translate?system=urn:c&code=c2',
  ),
);

/** Only what has a version is there; an older one, or one by its date. */
const conditional: fc.Arbitrary<Question> = fc
  .tuple(
    NAMED,
    fc.constantFrom<Record<string, string>[]>(
      { 'if-none-match': 'W/"1"' },
      { 'if-none-match': '*' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ),
  )
  .map(([path, headers]) => ({ method: 'GET', path, headers }));

const patient = { resourceType: 'Patient', gender: 'male' };
const profiled = { ...patient, meta: { profile: ['urn:profile'] } };
const validated: fc.Arbitrary<Question> = fc.oneof(
  fc.constantFrom(patient, profiled).map((body) => ({ method: 'POST', path: 'Patient/$validate', body })),
  of('urn:profile', 'urn:nosuch').map((profile) => ({
    method: 'POST',
    path: `Patient/$validate?profile=${profile}`,
    body: patient,
  })),
  NAMED.map((path) => ({ method: 'GET', path: `${path}/$validate` })),
);

const exported: fc.Arbitrary<Question> = withQuery(
  of('$export', 'Patient/$export', 'Group/group-0/$export', 'Group/group-1/$export'),
  ...['_type=Patient,Observation', '_type=Observation', '_since=2020-01-01T00:00:00Z', '_type=Binary,List'],
  ...['_typeFilter=Patient?name=Ada', '_typeFilter=Observation?value-quantity=gt3'],
).map((path) => ({ method: 'GET', path, isExport: true }));

/** What only reads: it may be asked again. */
export const operation: fc.Arbitrary<Question> = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.oneof(everywhere, terminology).map((path) => ({ method: 'GET', path })) },
      conditional,
      validated,
      exported,
    ),
    AT_ALL,
  )
  .map(([asked, way]) => ({ ...asked, ...(!('isExport' in asked) && { way }) }) as Question);

const observation = (more: object) => ({ resourceType: 'Observation', status: 'final', code: { text: 'x' }, ...more });
const SUBJECT = fc.oneof(
  PATIENT,
  condition.filter(({ type }) => type === 'Patient').map(({ by }) => `Patient?${by}`),
);

type Step = { request: { method: string; url: string } };
const step: fc.Arbitrary<Step> = fc.oneof(
  SUBJECT.map((reference) => ({
    request: { method: 'POST', url: 'Observation' },
    resource: observation({ subject: { reference } }),
  })),
  condition.map(({ type, by }) => ({ request: { method: 'DELETE', url: `${type}?${by}` } })),
  condition.map(({ type, by }) => ({
    request: { method: 'POST', url: type, ifNoneExist: by },
    resource: type === 'Patient' ? patient : observation({}),
  })),
  condition.map(({ type, by }) => ({
    request: { method: 'PUT', url: `${type}?${by}` },
    resource: type === 'Patient' ? patient : observation({}),
  })),
  PATIENT.map((url) => ({
    request: { method: 'PUT', url, ifMatch: 'W/"1"' },
    resource: { ...patient, id: url.slice(8) },
  })),
  NAMED.map((url) => ({ request: { method: 'GET', url, ifNoneMatch: 'W/"1"' } })),
);

/** What comes to be at one instant stands by its id, which is another one in each world: of one type not more than one does. */
function isInOrder(entry: Step[]): boolean {
  const made = entry.filter(({ request }) => /POST|PUT/.test(request.method)).map(({ request }) => request.url);
  return ['Patient', 'Observation'].every((type) => made.filter((url) => url.split('?')[0] === type).length <= 1);
}

/** What changes something, where it may. */
export const operationChange: fc.Arbitrary<Question> = fc
  .tuple(
    fc.oneof(
      fc
        .tuple(of('batch', 'transaction'), fc.array(step, { minLength: 1, maxLength: 3 }).filter(isInOrder))
        .map(([type, entry]) => {
          return { method: 'POST', path: '', body: { resourceType: 'Bundle', type, entry } };
        }),
      condition.map(({ type, by }) => ({
        method: 'POST',
        path: type,
        body: type === 'Patient' ? patient : observation({}),
        headers: { 'if-none-exist': by },
      })),
      condition.map(({ type, by }) => ({
        method: 'PUT',
        path: `${type}?${by}`,
        body: type === 'Patient' ? patient : observation({}),
      })),
      fc.tuple(PATIENT, of('W/"1"', 'W/"9"')).map(([path, match]) => ({
        method: 'PUT',
        path,
        body: { ...patient, id: path.slice(8) },
        headers: { 'if-match': match },
      })),
      NAMED.map((path) => ({ method: 'DELETE', path, headers: { 'if-match': 'W/"9"' } })),
      fc.tuple(PATIENT, ENCOUNTER).map(([subject, encounter]) => ({
        method: 'POST',
        path: 'Observation',
        body: observation({ subject: { reference: subject }, encounter: { reference: encounter } }),
      })),
      NAMED.map((reference) => ({
        method: 'POST',
        path: 'Binary',
        body: { resourceType: 'Binary', contentType: 'text/plain', data: 'eA==', securityContext: { reference } },
      })),
      fc.constant({ method: 'POST', path: 'Patient', body: profiled }),
    ),
    AT_ALL,
  )
  .map(([asked, way]) => ({ ...asked, way }) as Question);
