import type { Operation } from '../operation.ts';
import { OF_LABELS, runLabels } from './meta-reply.ts';

/** `[type]/[id]/$meta-add` (R4 Resource-meta-add): an update, which makes a version where it changes something. */
export const metaAddOperation: Operation = {
  definition: {
    code: 'meta-add',
    resource: 'Resource',
    at: ['instance'],
    affectsState: true,
    parameters: OF_LABELS,
    returns: { return: { type: 'Meta', min: 1 } },
    base: 'http://hl7.org/fhir/OperationDefinition/Resource-meta-add',
    lacks: ['versions of the past, which nobody changes'],
  },
  methods: ['POST'],
  run: (input) => runLabels(input, 'add'),
};
