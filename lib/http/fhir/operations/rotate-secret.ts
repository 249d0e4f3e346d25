import { requireActor } from '#lib/domain/access/context.ts';
import { rotateClientSecret } from '#lib/domain/clients/rotate-client-secret.ts';
import { writtenReply } from '../reply.ts';
import type { Operation } from './operation.ts';
import { readBody } from './read-parameters.ts';

const PARAMETERS = {
  secret: { type: 'string', documentation: 'That it is to have; else it gets one' },
  retiringSecret: { type: 'string', documentation: 'This one is to work no longer' },
} as const;

/**
 * `ClientApplication/:id/$rotate-secret` (contract §2.7): a new secret, shown this once on the client; the old one retires. With
 * `retiringSecret`, that one stops working instead.
 */
export const rotateSecretOperation: Operation = {
  definition: {
    code: 'rotate-secret',
    resource: 'ClientApplication',
    at: ['instance'],
    affectsState: true,
    parameters: PARAMETERS,
    returns: 'ClientApplication',
  },
  methods: ['POST'],
  async run(input) {
    const { ctx, id, request, extended } = input;
    const given = await readBody(input, PARAMETERS);
    const { row, secret } = await rotateClientSecret(ctx, requireActor(ctx).projectId, id!, given);
    return writtenReply(
      request,
      { row, once: secret ? { secret } : undefined, created: false, changed: true },
      extended,
    );
  },
};
