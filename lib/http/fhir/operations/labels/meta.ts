import { readResource } from '#lib/domain/rest/read-resource.ts';
import type { Operation } from '../operation.ts';
import { instanceId, readParameters } from '../read-parameters.ts';
import { resourceLabels } from './meta-reply.ts';

/** `[type]/[id]/$meta` (R4 Resource-meta): profiles, tags and security labels of a resource, by the rights of a read. */
export const metaOperation: Operation = {
  definition: {
    code: 'meta',
    resource: 'Resource',
    at: ['instance'],
    affectsState: false,
    parameters: {},
    returns: { return: { type: 'Meta', min: 1 } },
    base: 'http://hl7.org/fhir/OperationDefinition/Resource-meta',
    lacks: ['what a whole type has, or the system', 'versions of the past'],
  },
  methods: ['GET', 'POST'],
  inView: true,
  async run(input) {
    const { ctx, type, id, extended } = input;
    await readParameters(input, {});
    return resourceLabels(await readResource(ctx, type, instanceId(id)!), extended);
  },
};
