import { AppError } from '#lib/base/errors.ts';
import { requireActor } from '#lib/domain/access/context.ts';
import { type RotateInput, rotateClientSecret } from '#lib/domain/clients/rotate-client-secret.ts';
import { readJson } from '../door/read-body.ts';
import type { Operation } from './operation.ts';
import { writtenReply } from './reply.ts';

/**
 * `ClientApplication/:id/$rotate-secret` (contract §2.7): a new secret, shown this once on the client; the old one retires. With
 * `retiringSecret`, that one stops working instead.
 */
export const rotateSecretOperation: Operation = {
  methods: ['POST'],
  async run({ ctx, id, request, extended }) {
    const input = readInput(await readJson(request));
    const { row, secret } = await rotateClientSecret(ctx, requireActor(ctx).projectId, id!, input);
    return writtenReply(
      request,
      { row, once: secret ? { secret } : undefined, created: false, changed: true },
      extended,
    );
  },
};

type Parameter = { name?: unknown; valueString?: unknown };

/** Parameters with `secret` or `retiringSecret`, or nothing at all. */
function readInput(body: unknown): RotateInput {
  if (body === undefined) return {};
  const { resourceType, parameter = [] } = (body ?? {}) as { resourceType?: unknown; parameter?: Parameter[] };
  if (resourceType !== 'Parameters' || !Array.isArray(parameter)) {
    throw new AppError('invalid', 'The body must be Parameters', { expression: 'Parameters' });
  }
  const input: RotateInput = {};
  for (const [index, item] of parameter.entries()) {
    const { name, valueString } = item ?? {};
    if ((name !== 'secret' && name !== 'retiringSecret') || typeof valueString !== 'string') {
      const text = 'A parameter must be secret or retiringSecret, with valueString';
      throw new AppError('invalid', text, { expression: `Parameters.parameter[${index}]` });
    }
    input[name] = valueString;
  }
  return input;
}
