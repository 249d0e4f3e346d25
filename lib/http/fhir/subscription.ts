import { giveBindingToken } from '#lib/domain/subscriptions/binding-token.ts';
import { fhir } from '../door/reply.ts';
import { requireAcceptable } from './negotiation.ts';
import type { Operation } from './operation.ts';

/** As in the Subscriptions R5 backport, by GET as the peer's client asks: a token changes nothing. */
export const bindingTokenOperation: Operation = {
  definition:
    'http://hl7.org/fhir/uv/subscriptions-backport/OperationDefinition/backport-subscription-get-ws-binding-token',
  methods: ['GET', 'POST'],
  async run({ ctx, id = '', request, url }) {
    requireAcceptable(request, url);
    const { token, expiresAt, address } = await giveBindingToken(ctx, id);
    const parameter = [
      { name: 'token', valueString: token },
      { name: 'expiration', valueDateTime: expiresAt.toISOString() },
      { name: 'websocket-url', valueUrl: address },
    ];
    return fhir({ resourceType: 'Parameters', parameter });
  },
};
