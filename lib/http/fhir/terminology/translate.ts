import type { Named } from '#lib/domain/terminology/find-value-sets.ts';
import { type Translated, translate } from '#lib/domain/terminology/translate.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from '../operations/operation.ts';
import { instanceId, readParameters, wrong } from '../operations/read-parameters.ts';
import { codingsOf } from './validate-code.ts';

const PARAMETERS = {
  url: { type: 'uri' },
  conceptMapVersion: { type: 'string' },
  code: { type: 'code' },
  system: { type: 'uri' },
  version: { type: 'string' },
  coding: { type: 'Coding' },
  codeableConcept: { type: 'CodeableConcept' },
  targetsystem: { type: 'uri' },
  reverse: { type: 'boolean' },
} as const;

/** `ConceptMap/$translate` (R4 ConceptMap-translate), by a map that is named. */
export const translateOperation: Operation = {
  definition: {
    code: 'translate',
    resource: 'ConceptMap',
    at: ['type', 'instance'],
    affectsState: false,
    parameters: PARAMETERS,
    returns: {
      result: { type: 'boolean', min: 1 },
      message: { type: 'string' },
      match: {
        max: '*',
        part: {
          equivalence: { type: 'code' },
          concept: { type: 'Coding' },
          product: { max: '*', part: { element: { type: 'uri' }, concept: { type: 'Coding' } } },
          source: { type: 'uri' },
        },
      },
    },
    base: 'http://hl7.org/fhir/OperationDefinition/ConceptMap-translate',
    lacks: ['conceptMap', 'source', 'target', 'dependency'],
  },
  methods: ['GET', 'POST'],
  inView: true,
  async run(input) {
    const given = await readParameters(input, PARAMETERS);
    const { targetsystem: targetSystem, reverse } = given;
    const named = mapNamed(instanceId(input.id), given);
    const matches: Translated[] = [];
    for (const { system, version = given.version, code = '' } of codingsOf(given))
      matches.push(...(await translate(input.ctx, named, { system, version, code, targetSystem, reverse })));
    return fhir(toAnswer(matches));
  },
};

function mapNamed(id: string | undefined, given: { url?: string; conceptMapVersion?: string }): Named {
  const { url, conceptMapVersion: version } = given;
  if (id !== undefined && url !== undefined) throw wrong('url', 'The map is named by its id already');
  if (id !== undefined) return { id };
  if (!url) throw wrong('url', 'The url of a concept map is needed');
  return { url: version === undefined ? url : `${url}|${version}` };
}

const NONE = ['unmatched', 'disjoint'];

function toAnswer(matches: readonly Translated[]): object {
  const result = matches.some(({ equivalence }) => !NONE.includes(equivalence));
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'result', valueBoolean: result },
      ...(result ? [] : [{ name: 'message', valueString: 'The map has nothing that fits this code' }]),
      ...matches.map((match) => ({ name: 'match', part: toParts(match) })),
    ],
  };
}

function toParts({ equivalence, concept, products = [], source }: Translated): object[] {
  return [
    { name: 'equivalence', valueCode: equivalence },
    ...(concept ? [{ name: 'concept', valueCoding: concept }] : []),
    ...products.map(({ property, system, value, display }) => ({
      name: 'product',
      part: [
        { name: 'element', valueUri: property },
        { name: 'concept', valueCoding: { system, code: value, display } },
      ],
    })),
    ...(source === undefined ? [] : [{ name: 'source', valueUri: source }]),
  ];
}
