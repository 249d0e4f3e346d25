import { kickOff, OF_PATIENTS } from '../bulk/export.ts';
import type { Operation } from './operation.ts';

export const groupExport: Operation = {
  definition: {
    code: 'export',
    resource: 'Group',
    at: ['instance'],
    affectsState: false,
    parameters: OF_PATIENTS,
    returns: 'OperationOutcome',
    base: 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/group-export',
    lacks: ['includeAssociatedData'],
    comment: 'Answered 202; what it is of is told where Content-Location says.',
  },
  methods: ['GET', 'POST'],
  run: (input) => kickOff(input, { of: 'group', id: input.id! }),
};
