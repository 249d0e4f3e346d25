import { kickOff, OF_AN_EXPORT } from '../bulk/export.ts';
import type { Operation } from './operation.ts';

export const systemExport: Operation = {
  definition: {
    code: 'export',
    resource: '',
    at: ['system'],
    affectsState: false,
    parameters: OF_AN_EXPORT,
    returns: 'OperationOutcome',
    base: 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/export',
    lacks: ['includeAssociatedData'],
    comment: 'Answered 202; what it is of is told where Content-Location says.',
  },
  methods: ['GET', 'POST'],
  run: (input) => kickOff(input, { of: 'system' }),
};
