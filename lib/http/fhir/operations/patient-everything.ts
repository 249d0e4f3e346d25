import { everything, OF_A_COMPARTMENT } from './everything.ts';
import type { Operation } from './operation.ts';
import { readParameters } from './read-parameters.ts';

const PARAMETERS = { ...OF_A_COMPARTMENT, start: { type: 'date' }, end: { type: 'date' } } as const;

/** `Patient/[id]/$everything` (R4 Patient-everything). */
export const patientEverything: Operation = {
  definition: {
    code: 'everything',
    resource: 'Patient',
    at: ['instance'],
    affectsState: false,
    parameters: PARAMETERS,
    returns: 'Bundle',
    base: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
    lacks: ['everything of all patients'],
  },
  methods: ['GET', 'POST'],
  inView: true,
  run: async (input) => everything(input, await readParameters(input, PARAMETERS)),
};
