import { newId } from '#lib/base/ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { makeCorpus, pick, type Random } from './corpus.ts';

type Json = Record<string, unknown>;

/** Of what a corpus refers to and does not have. */
const REFERRED = 12;
/** So many references lead to nothing that is stored. */
const LOST = 0.15;

/** Elements that lead to others of their type, or to another type than a corpus has them. */
const MORE: Record<string, readonly (readonly [element: string, types: readonly string[], isMany: boolean])[]> = {
  Patient: [
    ['managingOrganization', ['Organization'], false],
    ['generalPractitioner', ['Practitioner', 'Organization'], true],
  ],
  Observation: [
    ['hasMember', ['Observation'], true],
    ['performer', ['Practitioner', 'Patient', 'Organization'], true],
  ],
  Encounter: [['partOf', ['Encounter'], false]],
  Location: [
    ['partOf', ['Location'], false],
    ['managingOrganization', ['Organization'], false],
  ],
  Organization: [['partOf', ['Organization'], false]],
};

/** A corpus whose resources refer to each other, in circles as well, each with its id. */
export function makeLinkedCorpus(random: Random, count: number): Resource[] {
  const others = Array.from({ length: REFERRED }, () => pick(random, [practitioner, organization])(random));
  const all = [...makeCorpus(random, count), ...others].map((resource): Json => {
    const more = (MORE[resource.resourceType as string] ?? []).filter(() => random() < 0.6);
    const made = more.map(([element, types, isMany]) => {
      const references = Array.from({ length: isMany ? 2 : 1 }, () => ({ reference: `${pick(random, types)}/p1` }));
      return [element, isMany ? references : references[0]];
    });
    return { ...resource, id: newId(), ...Object.fromEntries(made) };
  });
  const names = all.map(({ resourceType, id }) => `${resourceType}/${id}`);
  return all.map((resource) => relinked(random, resource, names)) as unknown as Resource[];
}

function practitioner(random: Random): Json {
  return {
    resourceType: 'Practitioner',
    name: [{ family: pick(random, ['Ann', 'Bo', 'Zoë']) }],
    gender: pick(random, ['male', 'female']),
    active: random() < 0.5,
  };
}

function organization(random: Random): Json {
  return {
    resourceType: 'Organization',
    name: pick(random, ['St. Mary', 'Acme']),
    active: random() < 0.5,
    identifier: [{ system: 'urn:a', value: pick(random, ['1', '2']) }],
  };
}

/** The same with references to what there is, but for some. */
function relinked(random: Random, value: Json, names: readonly string[]): Json {
  const text = JSON.stringify(value).replace(/"reference":"(\w+)\/p\d"/g, (all, type: string) => {
    const there = names.filter((name) => name.startsWith(`${type}/`));
    return there.length === 0 || random() < LOST ? all : `"reference":"${pick(random, there)}"`;
  });
  return JSON.parse(text);
}
