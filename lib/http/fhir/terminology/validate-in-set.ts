import { findInSet } from '#lib/domain/terminology/expand.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from '../operations/operation.ts';
import { readParameters } from '../operations/read-parameters.ts';
import { setNamed } from './expand.ts';
import { type Answer, codingsOf, JUDGEMENT, judgeDisplay, toAnswer } from './validate-code.ts';

const PARAMETERS = {
  url: { type: 'uri' },
  valueSetVersion: { type: 'string' },
  code: { type: 'code' },
  system: { type: 'uri' },
  display: { type: 'string' },
  coding: { type: 'Coding' },
  codeableConcept: { type: 'CodeableConcept' },
} as const;

/** `ValueSet/$validate-code` (R4 ValueSet-validate-code): whether a code is in the set. 404 for a set that is not known. */
export const validateInSet: Operation = {
  definition: {
    code: 'validate-code',
    resource: 'ValueSet',
    at: ['type', 'instance'],
    affectsState: false,
    parameters: PARAMETERS,
    returns: JUDGEMENT,
    base: 'http://hl7.org/fhir/OperationDefinition/ValueSet-validate-code',
    lacks: ['context', 'valueSet', 'systemVersion', 'date', 'abstract', 'displayLanguage'],
  },
  methods: ['GET', 'POST'],
  inView: true,
  async run(input) {
    const given = await readParameters(input, PARAMETERS);
    const named = setNamed(input.id, given);
    const answers: Answer[] = [];
    for (const { system, code = '', display } of codingsOf(given)) {
      const found = await findInSet(input.ctx, named, code);
      const one = found.find((each) => system === undefined || each.system === system);
      const text = `The value set has no code ${code.slice(0, 200)}${system ? ` of ${system.slice(0, 200)}` : ''}`;
      answers.push(one ? judgeDisplay([one.display], one.display, display) : { text });
    }
    return fhir(toAnswer(answers.find(({ text }) => text === undefined) ?? answers[0]!));
  },
};
