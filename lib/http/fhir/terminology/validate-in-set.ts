import { findInSet } from '#lib/domain/terminology/expand.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from '../operation.ts';
import { setNamed } from './expand.ts';
import { readParameters } from './read-parameters.ts';
import { type Answer, codingsOf, judgeDisplay, toAnswer } from './validate-code.ts';

const SPEC = {
  url: 'text',
  valueSetVersion: 'text',
  code: 'text',
  system: 'text',
  display: 'text',
  coding: 'Coding',
  codeableConcept: 'CodeableConcept',
} as const;

/** `ValueSet/$validate-code` (R4 ValueSet-validate-code): whether a code is in the set. 404 for a set that is not known. */
export const validateInSet: Operation = {
  definition: 'http://hl7.org/fhir/OperationDefinition/ValueSet-validate-code',
  methods: ['GET', 'POST'],
  async run(input) {
    const given = await readParameters(input, SPEC);
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
