import { choiceProperty, codeSet, type ElementSpec, structure, type TypeSpec } from '#lib/protocol/fhir/structures.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import { judgeResource } from '#lib/protocol/fhir/validate/validate.ts';
import { makeRandom, type Random } from './random.ts';

type Json = Record<string, unknown>;
export type Made = Json & { resourceType: string };

/** Elements that say nothing of a type of its own. */
const COMMON = ['id', 'meta', 'implicitRules', 'language', 'text', 'contained', 'extension', 'modifierExtension'];
/** Where what stands in one element must agree with another, which chance does not find. */
const GIVEN: Record<string, Json> = {
  StructureDefinition: {
    type: 'Patient',
    baseDefinition: 'http://hl7.org/fhir/StructureDefinition/Patient',
    contextInvariant: undefined,
    snapshot: undefined,
    differential: { element: [{ id: 'Patient', path: 'Patient' }] },
  },
};
/** So deep what may be left out is not. */
const DEPTH = 4;
const TRIES = 400;

const PRIMITIVES: Record<string, (random: Random) => unknown> = {
  boolean: (random) => random.chance(0.5),
  integer: (random) => random.next(1000) - 500,
  unsignedInt: (random) => random.next(1000),
  positiveInt: (random) => random.next(1000) + 1,
  decimal: (random) => random.next(100_000) / 100,
  string: (random) => random.pick(['x', 'Müller', 'two words', '0']),
  markdown: () => '*x*',
  code: (random) => random.pick(['a', 'b-c', 'two words']),
  id: () => 'a-1',
  uri: () => 'urn:x',
  url: () => 'http://example.org/x',
  canonical: () => 'http://example.org/x|1',
  oid: () => 'urn:oid:1.2.3',
  uuid: () => 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520',
  base64Binary: () => 'YWJj',
  date: (random) => random.pick(['2024', '2024-02', '2024-02-29']),
  dateTime: (random) => random.pick(['2024', '2024-02-29', '2024-02-29T10:00:00Z']),
  instant: () => '2024-02-29T10:00:00.000+01:00',
  time: () => '10:00:00',
  xhtml: () => '<div xmlns="http://www.w3.org/1999/xhtml">x</div>',
};
const GRAMMARS = { mimetypes: 'text/plain', currencies: 'EUR', formats: 'json' };

/**
 * A resource of this type of which R4 has nothing to say: what must be there and some of what may, drawn from the definitions, again and again
 * until the invariants agree. The same for the same seed. Throws when none is found.
 */
export function makeResource(type: string, seed: number): Made {
  const random = makeRandom(seed);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    // Rules of several elements are met by chance: the more there is, the less often.
    const share = 0.35 * (1 - attempt / TRIES);
    const made: Made = { resourceType: type, ...object(type, random, share, 0), ...GIVEN[type] };
    const { issues, findings } = judgeResource(made, type);
    if (issues.length > 0) throw new Error(`${JSON.stringify(made)} ${JSON.stringify(issues[0])}`);
    if (findings.every(({ severity }) => severity !== 'error')) return made;
  }
  throw new Error(`No ${type} was found that agrees with its invariants`);
}

function object(path: string, random: Random, share: number, depth: number): Json {
  const all = [...(structure(path)?.elements.values() ?? [])];
  const required = all.filter(({ min }) => min === 1);
  const elements = all.filter(({ name }) => !COMMON.includes(name));
  const wanted = elements.filter(({ min }) => min === 0 && depth < DEPTH && random.chance(share));
  const made = Object.assign(
    {},
    ...[...required, ...wanted].map((each) => property(each, random, share, depth)),
  ) as Json;
  if (Object.keys(made).length > 0 || depth === 0) return made;
  const [first] = elements.filter(({ types }) => types.some(({ code }) => Object.hasOwn(PRIMITIVES, code)));
  return first ? property(first, random, share, depth) : { extension: [{ url: 'urn:x', valueString: 'x' }] };
}

function property(element: ElementSpec, random: Random, share: number, depth: number): Json {
  const { name, array, choice, nested, types } = element;
  const fitting = types.filter(({ code }) => code !== 'Resource' && !isResourceType(code));
  if (!nested && fitting.length === 0)
    return element.min === 1 ? { [name]: { resourceType: 'Basic', code: { text: 'x' } } } : {};
  const type = nested ? undefined : random.pick(fitting);
  const one = () =>
    type ? value(type, element, random, share, depth) : object(nested ?? '', random, share, depth + 1);
  const key = choice && type ? choiceProperty(name, type.code) : name;
  return { [key]: array ? Array.from({ length: 1 + random.next(2) }, one) : one() };
}

function value(type: TypeSpec, element: ElementSpec, random: Random, share: number, depth: number): unknown {
  const set = element.codes === undefined ? undefined : codeSet(element.codes);
  if (type.code === 'code' && element.grammar) return GRAMMARS[element.grammar];
  if (type.code === 'code' && set) return random.pick([...set.codes]);
  const primitive = PRIMITIVES[type.code];
  if (primitive) return primitive(random);
  const coding = set && { ...(set.system && { system: set.system }), code: random.pick([...set.codes]) };
  if (coding && type.code === 'CodeableConcept') return { coding: [coding] };
  if (coding && type.code === 'Coding') return coding;
  if (type.code === 'Reference') return { reference: `${random.pick(type.targets ?? ['Patient'])}/1` };
  if (type.code === 'Extension') return { url: 'urn:x', valueString: 'x' };
  return object(type.code, random, share / 2, depth + 1);
}
