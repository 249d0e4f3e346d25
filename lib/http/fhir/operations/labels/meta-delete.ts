import type { Operation } from '../operation.ts';
import { OF_LABELS, runLabels } from './meta-reply.ts';

/** `[type]/[id]/$meta-delete` (R4 Resource-meta-delete): an update, which makes a version where it changes something. */
export const metaDeleteOperation: Operation = {
  definition: {
    code: 'meta-delete',
    resource: 'Resource',
    at: ['instance'],
    affectsState: true,
    parameters: OF_LABELS,
    returns: { return: { type: 'Meta', min: 1 } },
    base: 'http://hl7.org/fhir/OperationDefinition/Resource-meta-delete',
    lacks: ['versions of the past, which nobody changes'],
  },
  methods: ['POST'],
  run: (input) => runLabels(input, 'delete'),
};
