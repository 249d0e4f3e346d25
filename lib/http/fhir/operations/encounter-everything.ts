import { everything, OF_A_COMPARTMENT } from './everything.ts';
import type { Operation } from './operation.ts';
import { readParameters } from './read-parameters.ts';

/** `Encounter/[id]/$everything` (R4 Encounter-everything), which knows no dates of care. */
export const encounterEverything: Operation = {
  definition: {
    code: 'everything',
    resource: 'Encounter',
    at: ['instance'],
    affectsState: false,
    parameters: OF_A_COMPARTMENT,
    returns: 'Bundle',
    base: 'http://hl7.org/fhir/OperationDefinition/Encounter-everything',
  },
  methods: ['GET', 'POST'],
  inView: true,
  run: async (input) => everything(input, await readParameters(input, OF_A_COMPARTMENT)),
};
