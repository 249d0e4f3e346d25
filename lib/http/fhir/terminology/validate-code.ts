import { type FoundConcept, findConcept } from '#lib/domain/terminology/find-concept.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from '../operations/operation.ts';
import { type Coding, instanceId, readParameters, toParameters, wrong } from '../operations/read-parameters.ts';

const PARAMETERS = {
  url: { type: 'uri' },
  code: { type: 'code' },
  version: { type: 'string' },
  display: { type: 'string' },
  coding: { type: 'Coding' },
  codeableConcept: { type: 'CodeableConcept' },
} as const;

/** Of both operations of this name. */
export const JUDGEMENT = {
  result: { type: 'boolean', min: 1 },
  message: { type: 'string' },
  display: { type: 'string' },
} as const;

/** `CodeSystem/$validate-code` (R4 CodeSystem-validate-code): whether a code is one of the system's. 404 for a system that is not known. */
export const validateInSystem: Operation = {
  definition: {
    code: 'validate-code',
    resource: 'CodeSystem',
    at: ['type', 'instance'],
    affectsState: false,
    parameters: PARAMETERS,
    returns: JUDGEMENT,
    base: 'http://hl7.org/fhir/OperationDefinition/CodeSystem-validate-code',
    lacks: ['codeSystem', 'date', 'abstract', 'displayLanguage'],
  },
  methods: ['GET', 'POST'],
  inView: true,
  async run(input) {
    const given = await readParameters(input, PARAMETERS);
    const id = instanceId(input.id);
    const codings = codingsOf(given);
    const url = given.url ?? codings.find(({ system }) => system !== undefined)?.system;
    if (id === undefined && !url) throw wrong('url', 'The url of a code system is needed');
    const asked = codings.filter(({ system }) => id !== undefined || system === undefined || system === url);
    if (asked.length === 0) return fhir(toAnswer({ text: `No coding is of ${url}` }));
    const answers: Answer[] = [];
    for (const coding of asked) {
      const name = { id, url: id === undefined ? url : undefined, version: given.version ?? coding.version };
      answers.push(judge(await findConcept(input.ctx, name, coding.code ?? ''), coding));
    }
    return fhir(toAnswer(answers.find(({ text }) => text === undefined) ?? answers[0]!));
  },
};

/** `text`: why it is not right. */
export type Answer = { text?: string; display?: string };

export function toAnswer({ text, display }: Answer): object {
  return toParameters([
    ['result', 'valueBoolean', text === undefined],
    ['message', 'valueString', text],
    ['display', 'valueString', display],
  ]);
}

/** Of the three ways to give codes, the one. Throws 400 for none, and for two. */
export function codingsOf(given: {
  code?: string;
  system?: string;
  display?: string;
  coding?: Coding;
  codeableConcept?: { coding: Coding[] };
}): Coding[] {
  const { code, system, display, coding, codeableConcept } = given;
  const ways = [code, coding, codeableConcept].filter((way) => way !== undefined);
  if (ways.length !== 1) throw wrong('code', 'Give one of code, coding and codeableConcept');
  if (codeableConcept) return codeableConcept.coding.slice(0, MOST_CODINGS);
  return [coding ?? { code, system, display }];
}

/** Statements of one request. */
const MOST_CODINGS = 20;

function judge({ system, concept }: FoundConcept, coding: Coding): Answer {
  const { code = '', system: named } = coding;
  if (named !== undefined && named !== system.url)
    return { text: `The coding is of ${named.slice(0, 200)}, and not of ${system.url.slice(0, 200)}` };
  if (!concept) return { text: `${system.url.slice(0, 200)} has no code ${code.slice(0, 200)}` };
  const names = [concept.display, ...(concept.rest.designation ?? []).map(({ value }) => value)];
  return judgeDisplay(names, concept.display ?? undefined, coding.display);
}

/** R4: a display that is given must be right; case counts for nothing. Where none is known, any is. */
export function judgeDisplay(
  names: readonly (string | null | undefined)[],
  display: string | undefined,
  given: string | undefined,
): Answer {
  const known = names.flatMap((name) => name?.toLowerCase() ?? []);
  if (given === undefined || known.length === 0 || known.includes(given.toLowerCase())) return { display };
  return { text: `The display is not ${given.slice(0, 200)}`, display };
}
