import fc from 'fast-check';

/** What a member asks: `path` with its query. `way`: by themselves if nothing is said. `isExport`: its files are fetched as well. */
export type Question = {
  method: string;
  path: string;
  body?: object;
  headers?: { [name: string]: string };
  way?: 'self' | 'behalf' | 'bot';
  isExport?: true;
};

const of = (...list: string[]) => fc.constantFrom(...list);
const PATIENT = of('patient-0', 'patient-1', 'patient-2', 'patient-3', 'patient-4');
const DOCTOR = of('practitioner-0', 'practitioner-1', 'practitioner-2');
const ENCOUNTER = of('encounter-0', 'encounter-1', 'encounter-2');
const FAMILY = of('Ada', 'Adams', 'Bell', 'Okafor', 'b');
const DATE = of('1950', '1974-12', 'ge1974', 'lt1999-06-30', 'ne1999-06-30', 'sa1980');

type Text = fc.Arbitrary<string>;
const say = (strings: TemplateStringsArray, ...parts: Text[]): Text =>
  fc.tuple(...parts).map((values) => strings.map((text, at) => text + (values[at] ?? '')).join(''));

const BY: { [type: string]: Text } = {
  Patient: fc.oneof(
    say`name=${FAMILY}`,
    say`name:exact=${FAMILY}`,
    say`family:missing=${of('true', 'false')}`,
    say`birthdate=${DATE}`,
    say`birthdate:missing=${of('true', 'false')}`,
    say`gender${of('', ':not')}=${of('male', 'female')}`,
    say`phone=${of('1', '2')}`,
    say`telecom:not=${of('1', 'phone|2')}`,
    say`identifier=${of('urn:mrn|A', 'B', 'urn:mrn|')}`,
    say`general-practitioner=${DOCTOR}`,
    say`general-practitioner:not=Practitioner/${DOCTOR}`,
    say`general-practitioner:Practitioner.name=${FAMILY}`,
    say`general-practitioner:Practitioner.active=true`,
    say`link:Patient.name=${FAMILY}`,
    say`link:Patient.general-practitioner:Practitioner.name=${FAMILY}`,
    say`_has:Observation:patient:code=${of('c1', 'c2')}`,
    say`_has:Observation:patient:_has:Provenance:target:_id=x`,
    say`_has:Observation:patient:value-quantity=${of('gt3', '5')}`,
    say`_has:Encounter:patient:status=finished`,
    say`_has:Patient:link:name=${FAMILY}`,
    say`_compartment=${of('Patient', 'Practitioner')}/${of('patient-1', 'practitioner-0')}`,
    say`own-name${of('', ':not', ':contains')}=${FAMILY}`,
    say`own-doctor=${DOCTOR}`,
    say`own-doctor:Practitioner.name=${FAMILY}`,
    say`${of('_text', '_content')}=${FAMILY}`,
    say`_filter=name eq ${FAMILY}`,
    say`_filter=not (name sw ${FAMILY} or gender eq male)`,
    say`_filter=birthdate ge 1974 and not (general-practitioner re Practitioner/${DOCTOR})`,
    say`_filter=not (general-practitioner.name eq ${FAMILY})`,
  ),
  Practitioner: fc.oneof(
    say`name=${FAMILY}`,
    say`active=true`,
    say`_has:Patient:general-practitioner:gender=${of('male', 'female')}`,
    say`_has:Observation:performer:status=final`,
    say`_has:Observation:performer:patient.name=${FAMILY}`,
  ),
  Encounter: fc.oneof(
    say`status${of('', ':not')}=finished`,
    say`patient=${PATIENT}`,
    say`patient.name=${FAMILY}`,
    say`subject:Patient.birthdate=${DATE}`,
    say`_has:Observation:encounter:code=${of('c1', 'c3')}`,
  ),
  Observation: fc.oneof(
    say`status=${of('final', 'preliminary')}`,
    say`code${of('', ':not')}=${of('c1', 'urn:c|c2')}`,
    say`date=${DATE}`,
    say`value-quantity=${of('gt3', 'le5', '4')}`,
    say`value-quantity:missing=true`,
    say`own-value=${of('gt3', '4')}`,
    say`patient:Patient.own-name=${FAMILY}`,
    say`code-value-quantity=${of('c1', 'c2')}$gt2`,
    say`combo-value-quantity=gt4`,
    say`subject=Patient/${PATIENT}`,
    say`subject:missing=true`,
    say`performer=${DOCTOR}`,
    say`performer.name=${FAMILY}`,
    say`encounter=${ENCOUNTER}`,
    say`encounter.status=finished`,
    say`encounter.patient.name=${FAMILY}`,
    say`patient.name=${FAMILY}`,
    say`subject:Patient.general-practitioner.active=true`,
    say`patient.birthdate=${DATE}`,
    say`patient.general-practitioner:Practitioner.name=${FAMILY}`,
    say`_filter=value-quantity gt 3 or performer re Practitioner/${DOCTOR}`,
    say`_filter=not (patient.name eq ${FAMILY})`,
  ),
};

const SHAPES: { [type: string]: Text } = {
  Patient: of(
    ...[
      '_total=accurate',
      '_summary=count',
      '_summary=true',
      '_elements=name,birthDate',
      '_count=2',
      '_sort=name',
      '_sort=own-name',
      '_sort=-birthdate',
      '_sort=gender',
    ],
    ...[
      '_include=Patient:general-practitioner',
      '_include=Patient:*',
      '_include=*',
      '_revinclude=Observation:patient',
      '_revinclude=*',
    ],
    ...[
      '_include=Patient:link&_include:iterate=Patient:link',
      '_revinclude=Encounter:patient&_revinclude:iterate=Observation:encounter',
    ],
    '_include=Patient:link&_include:iterate=Patient:general-practitioner',
  ),
  Practitioner: of(
    '_total=accurate',
    '_sort=name',
    '_revinclude=Patient:general-practitioner',
    '_revinclude=Observation:performer',
    '_revinclude=*',
  ),
  Encounter: of('_total=accurate', '_include=Encounter:patient', '_revinclude=Observation:encounter', '_revinclude=*'),
  Observation: of(
    ...[
      '_total=accurate',
      '_sort=date',
      '_sort=-value-quantity',
      '_sort=code',
      '_include=Observation:*',
      '_include=Observation:performer',
    ],
    ...[
      '_include=Observation:encounter',
      '_include=Observation:subject&_include:iterate=Patient:*',
      '_elements=valueQuantity',
    ],
  ),
};

const search = of('Patient', 'Practitioner', 'Encounter', 'Observation').chain((type) =>
  fc
    .tuple(fc.array(BY[type]!, { maxLength: 2 }), fc.option(SHAPES[type]!, { nil: undefined }))
    .map(([by, shape]) => `${type}?${[...by, ...(shape ? [shape] : [])].join('&')}`),
);
const named = fc.oneof(
  say`Patient/${PATIENT}`,
  say`Practitioner/${DOCTOR}`,
  say`Encounter/${ENCOUNTER}`,
  say`Observation/observation-${of('0', '1', '2', '3', '4', '5', '6', '7', '8')}`,
);
const within = fc.oneof(
  say`Patient/${PATIENT}/$everything`,
  say`Patient/${PATIENT}/*?_total=accurate`,
  say`Patient/${PATIENT}/${of('Observation', 'Encounter', 'Patient')}?_total=accurate`,
  say`Practitioner/${DOCTOR}/${of('Observation', 'Patient', '*')}?_total=accurate`,
  say`Encounter/${ENCOUNTER}/${of('Observation', '*', '$everything')}`,
  say`?_type=Patient,Observation&_total=accurate`,
  say`?_type=Patient,Encounter&_id=${of('patient-0', 'encounter-1')}`,
);
const history = fc.oneof(
  say`${named}/_history`,
  say`${named}/_history/1`,
  say`${of('Patient', 'Observation')}/_history?_count=50`,
  say`_history?_count=50`,
);
const asked: fc.Arbitrary<Question> = fc
  .oneof({ weight: 6, arbitrary: search }, { weight: 2, arbitrary: named }, { weight: 2, arbitrary: within }, history)
  .map((path) => ({ method: 'GET', path }));

const batch: fc.Arbitrary<Question> = fc.array(asked, { minLength: 1, maxLength: 3 }).map((several) => {
  const entry = several.map(({ path }) => ({ request: { method: 'GET', url: path } }));
  return { method: 'POST', path: '', body: { resourceType: 'Bundle', type: 'batch', entry } };
});

/** Only questions, all of which may be asked again. */
export const question: fc.Arbitrary<Question> = fc.oneof({ weight: 9, arbitrary: asked }, batch);

const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const tag = { meta: { tag: [{ code: 'written' }] } };
/** A type, and a search of it that may stand in a condition. */
export const condition = of('Patient', 'Observation').chain((type) =>
  BY[type]!.filter((by) => !by.startsWith('_filter')).map((by) => ({ type, by })),
);

/** What changes something, if a condition means one resource that the member may change. */
export const change: fc.Arbitrary<Question> = fc.oneof(
  condition.map(({ type, by }) => ({ method: 'DELETE', path: `${type}?${by}` })),
  condition.map(({ type, by }) => ({
    method: 'PATCH',
    path: `${type}?${by}`,
    body: [{ op: 'add', path: '/language', value: 'de' }],
    headers: JSON_PATCH,
  })),
  named.map((path) => ({
    method: 'PATCH',
    path,
    body: [{ op: 'add', path: '/language', value: 'de' }],
    headers: JSON_PATCH,
  })),
  fc.tuple(named, of('/name', '/birthDate', '/valueQuantity', '/performer')).map(([path, element]) => ({
    method: 'PATCH',
    path,
    body: [{ op: 'test', path: element, value: 'x' }],
    headers: JSON_PATCH,
  })),
  named.map((path) => ({ method: 'DELETE', path })),
  named.map((path) => ({
    method: 'POST',
    path: `${path}/$meta-add`,
    body: { resourceType: 'Parameters', parameter: [{ name: 'meta', valueMeta: tag.meta }] },
  })),
);
