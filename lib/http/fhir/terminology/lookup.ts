import { AppError } from '#lib/base/errors.ts';
import { findChildren } from '#lib/domain/terminology/find-children.ts';
import { type FoundConcept, findConcept } from '#lib/domain/terminology/find-concept.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from '../operations/operation.ts';
import { readParameters, wrong } from '../operations/read-parameters.ts';

const PARAMETERS = {
  code: { type: 'code' },
  system: { type: 'uri' },
  version: { type: 'string' },
  coding: { type: 'Coding' },
  property: { type: 'code', max: 100 },
} as const;

/** `CodeSystem/$lookup` (R4 CodeSystem-lookup): what a code means. 404 for a system or code that is not known. */
export const lookupOperation: Operation = {
  definition: {
    code: 'lookup',
    resource: 'CodeSystem',
    at: ['type'],
    affectsState: false,
    parameters: PARAMETERS,
    returns: {
      name: { type: 'string', min: 1 },
      version: { type: 'string' },
      display: { type: 'string', min: 1 },
      designation: {
        max: '*',
        part: { language: { type: 'code' }, use: { type: 'Coding' }, value: { type: 'string', min: 1 } },
      },
      property: { max: '*', part: { code: { type: 'code', min: 1 }, value: { type: 'Element' } } },
    },
    base: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-lookup',
    lacks: ['date', 'displayLanguage'],
  },
  methods: ['GET', 'POST'],
  inView: true,
  async run(input) {
    const { coding, property, ...plain } = await readParameters(input, PARAMETERS);
    if (coding && (plain.code !== undefined || plain.system !== undefined))
      throw wrong('coding', 'Give a coding, or code and system');
    const { code, system: url, version } = { ...plain, ...coding };
    if (!code || !url) throw wrong(coding ? 'coding' : 'code', 'A code and its system are needed');
    const found = await findConcept(input.ctx, { url, version }, code);
    const asksChildren = property?.some((name) => name === 'child' || name === '*');
    const children = asksChildren ? await findChildren(input.ctx, found) : [];
    return fhir(toAnswer(found, { code, property, children }));
  },
};

/** R4's names of what is told in any case. */
const PLAIN = new Set(['display', 'name', 'version', 'system', 'code']);

type Asked = { code: string; property: string[] | undefined; children: string[] };

function toAnswer({ system, concept }: FoundConcept, { code, property: asked, children }: Asked): object {
  if (!concept) {
    const text = `The code system ${system.url.slice(0, 200)} has no code ${code.slice(0, 200)}`;
    throw new AppError('not-found', text, { expression: 'code' });
  }
  const wants = (name: string) => asked === undefined || asked.includes(name) || asked.includes('*');
  const { display, definition, parents, rest } = concept;
  const own = (rest.property ?? []) as { code?: string }[];
  const isNamed = (name: string) => own.some((property) => property.code === name);
  const unnamed = isNamed('parent') ? [] : parents.map((parent) => ({ code: 'parent', valueCode: parent }));
  const below = isNamed('child') ? [] : children.map((child) => ({ code: 'child', valueCode: child }));
  const told = [...own, ...unnamed, ...below].filter(
    (property) => !PLAIN.has(property.code ?? '') && wants(property.code ?? ''),
  );
  const text = definition !== null && wants('definition') ? [{ code: 'definition', valueString: definition }] : [];
  const designations = wants('designation') ? (rest.designation ?? []) : [];
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'name', valueString: system.title ?? system.name ?? system.url },
      ...(system.version === undefined ? [] : [{ name: 'version', valueString: system.version }]),
      { name: 'display', valueString: display ?? code },
      ...designations.map(({ language, use, value }) => ({
        name: 'designation',
        part: [
          ...(language === undefined ? [] : [{ name: 'language', valueCode: language }]),
          ...(use === undefined ? [] : [{ name: 'use', valueCoding: use }]),
          { name: 'value', valueString: value },
        ],
      })),
      ...[...text, ...told].map(({ code: name, ...value }) => ({ name: 'property', part: toParts(name, value) })),
    ],
  };
}

function toParts(name: string | undefined, value: object): object[] {
  const values = Object.entries(value).filter(([key]) => key.startsWith('value'));
  return [{ name: 'code', valueCode: name }, ...values.map(([key, one]) => ({ name: 'value', [key]: one }))];
}
