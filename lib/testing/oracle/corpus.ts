import type { Resource } from '#lib/protocol/fhir/types.ts';
import { EXTENSION } from '../fhir/own-params.ts';

/** A generator of numbers from 0 to 1: the same seed gives the same corpus and the same queries. */
export type Random = () => number;

export function pick<T>(random: Random, of: readonly T[]): T {
  return of[Math.floor(random() * of.length)]!;
}

const UCUM = 'http://unitsofmeasure.org';
const DATES = [
  '2019',
  '2020',
  '2020-02',
  '2020-02-29',
  '2020-03-01T10:00:00Z',
  '2020-03-01T10:00:00.500+02:00',
  '2020-10',
  '2021-05',
  '1931-06-15',
];
const DAYS = ['1931-06-15', '1980-02', '1980-02-29', '2001', '2020-03-01'];
const WORDS = ['Ann', 'Änne', 'anna', 'Bo', 'bob', 'Zoë van der Berg', 'St. Mary', 'O,Neil'];
const CODES = ['x', 'y', 'z', 'xy'];
const SYSTEMS = [undefined, 'urn:a', 'urn:b'];
const IDS = ['p1', 'p2', 'p3'];
const NUMBERS = [0, 1, 4.6, 4.99, 5, 5.4, 5.44, 5.9, 99.5, 100, 100.4, 108, 5400, 0.0054];

/** Valid resources of a handful of types, in which every kind of search parameter has values, several, and none. */
export function makeCorpus(random: Random, count: number): Resource[] {
  const makers = [patient, observation, observation, observation, encounter, condition, risk, valueSet, location];
  return Array.from({ length: count }, () => without(random, pick(random, makers)(random))) as unknown as Resource[];
}

type Json = Record<string, unknown>;

const REQUIRED = new Set(['resourceType', 'status', 'code', 'class', 'subject', 'intent']);

/** Each element that need not be there is not, now and then. */
function without(random: Random, resource: Json): Json {
  return Object.fromEntries(Object.entries(resource).filter(([key]) => REQUIRED.has(key) || random() < 0.75));
}

function some<T>(random: Random, make: (random: Random) => T): T[] {
  return Array.from({ length: 1 + Math.floor(random() * 2) }, () => make(random));
}

function coding(random: Random): Json {
  const system = pick(random, SYSTEMS);
  return {
    ...(system ? { system } : {}),
    code: pick(random, CODES),
    ...(random() < 0.5 && { display: pick(random, WORDS) }),
  };
}

const concept = (random: Random): Json => ({
  coding: some(random, coding),
  ...(random() < 0.3 && { text: pick(random, WORDS) }),
});
const identifier = (random: Random): Json => {
  const system = pick(random, SYSTEMS);
  const coding = [{ system: 'urn:types', code: pick(random, ['MR', 'SS']) }];
  return {
    ...(system ? { system } : {}),
    value: pick(random, ['1', '2', 'A-1']),
    type: { ...(random() < 0.6 && { coding }), text: pick(random, WORDS) },
  };
};

function quantity(random: Random): Json {
  const unit = pick(random, ['g', 'mg', 'kg', 'tab', undefined]);
  const system = unit === 'tab' ? 'urn:units' : UCUM;
  return { value: pick(random, NUMBERS), ...(unit ? { unit, system, code: unit } : {}) };
}

const period = (random: Random): Json => {
  const [start, end] = [pick(random, ['2019', '2020-01-01']), pick(random, ['2020-03-01', '2021'])];
  return pick(random, [{ start, end }, { start }, { end }]);
};
const reference =
  (type: string) =>
  (random: Random): Json => ({
    reference: `${type}/${pick(random, IDS)}`,
    ...(random() < 0.3 && { identifier: identifier(random) }),
    ...(random() < 0.3 && { display: pick(random, WORDS) }),
  });

function extension(random: Random): Json {
  const [name, make] = pick<[string, () => Json]>(random, [
    ['team', () => ({ valueCoding: coding(random) })],
    ['trait', () => ({ valueCodeableConcept: concept(random) })],
    ['nick', () => ({ valueString: pick(random, WORDS) })],
    ['seen', () => ({ valueDateTime: pick(random, DATES) })],
    ['stay', () => ({ valuePeriod: period(random) })],
    ['nurse', () => ({ valueReference: reference(pick(random, ['Practitioner', 'Organization']))(random) })],
    ['home', () => ({ valueUri: pick(random, ['http://x.org/a/b', 'http://x.org/a', 'urn:z']) })],
    ['score', () => ({ valueDecimal: pick(random, NUMBERS) })],
    ['dose', () => ({ valueQuantity: quantity(random) })],
  ]);
  return { url: `${EXTENSION}/${name}`, ...make() };
}

function patient(random: Random): Json {
  return {
    resourceType: 'Patient',
    identifier: some(random, identifier),
    active: random() < 0.5,
    name: some(random, () => ({ family: pick(random, WORDS), given: some(random, () => pick(random, WORDS)) })),
    telecom: [{ system: pick(random, ['phone', 'email']), value: pick(random, ['1', 'a@x.org']) }],
    gender: pick(random, ['male', 'female']),
    birthDate: pick(random, DAYS),
    ...pick<Json>(random, [
      { deceasedBoolean: true },
      { deceasedBoolean: false },
      { deceasedDateTime: pick(random, DATES) },
    ]),
    address: some(random, () => ({ city: pick(random, WORDS), line: [pick(random, WORDS)] })),
    generalPractitioner: some(random, reference('Practitioner')),
    extension: some(random, extension),
  };
}

function value(random: Random): Json {
  return pick<() => Json>(random, [
    () => ({ valueQuantity: quantity(random) }),
    () => ({ valueQuantity: quantity(random) }),
    () => ({ valueCodeableConcept: concept(random) }),
    () => ({ valueString: pick(random, WORDS) }),
    () => ({ valueDateTime: pick(random, DATES) }),
  ])();
}

function observation(random: Random): Json {
  return {
    resourceType: 'Observation',
    status: pick(random, ['final', 'amended']),
    category: some(random, concept),
    code: concept(random),
    subject: reference('Patient')(random),
    encounter: reference('Encounter')(random),
    ...pick<Json>(random, [{ effectiveDateTime: pick(random, DATES) }, { effectivePeriod: period(random) }]),
    ...value(random),
    component: some(random, () => ({ code: concept(random), ...value(random) })),
  };
}

function encounter(random: Random): Json {
  return {
    resourceType: 'Encounter',
    status: pick(random, ['planned', 'finished']),
    class: coding(random),
    subject: reference('Patient')(random),
    period: period(random),
    length: quantity(random),
    participant: some(random, () => ({ individual: reference('Practitioner')(random), type: some(random, concept) })),
  };
}

function condition(random: Random): Json {
  return {
    resourceType: 'Condition',
    code: concept(random),
    subject: reference('Patient')(random),
    ...pick<Json>(random, [
      { onsetAge: { value: pick(random, [5, 50]), system: UCUM, code: 'a' } },
      { onsetRange: { low: { value: 4 }, high: { value: 6 } } },
      { onsetDateTime: pick(random, DATES) },
      { onsetString: pick(random, WORDS) },
    ]),
    recordedDate: pick(random, DATES),
    bodySite: some(random, concept),
  };
}

function risk(random: Random): Json {
  const [probabilityDecimal, low, high] = [pick(random, [0, 0.5, 5]), 1, 6];
  const probability = pick<Json>(random, [
    { probabilityDecimal },
    { probabilityRange: { low: { value: low }, high: { value: high } } },
  ]);
  return {
    resourceType: 'RiskAssessment',
    status: 'final',
    subject: reference('Patient')(random),
    prediction: some(random, () => ({ ...probability })),
    identifier: some(random, identifier),
  };
}

function valueSet(random: Random): Json {
  return {
    resourceType: 'ValueSet',
    status: 'draft',
    url: pick(random, ['http://acme.org/vs', 'http://acme.org/vs/1', 'urn:oid:1.2']),
    version: pick(random, ['1', '2']),
    name: pick(random, ['Acme', 'Anvils']),
    date: pick(random, DATES),
    useContext: some(random, () => ({
      code: coding(random),
      ...pick<Json>(random, [{ valueCodeableConcept: concept(random) }, { valueQuantity: quantity(random) }]),
    })),
  };
}

function location(random: Random): Json {
  return {
    resourceType: 'Location',
    name: pick(random, WORDS),
    address: { city: pick(random, WORDS) },
    type: some(random, concept),
  };
}
