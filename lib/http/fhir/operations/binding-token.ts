import { giveBindingToken } from '#lib/domain/subscriptions/binding-token.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from './operation.ts';
import { readParameters, toParameters } from './read-parameters.ts';

/** As in the Subscriptions R5 backport, by GET as the peer's client asks: a token changes nothing. */
export const bindingTokenOperation: Operation = {
  definition: {
    code: 'get-ws-binding-token',
    resource: 'Subscription',
    at: ['instance'],
    affectsState: false,
    parameters: {},
    returns: {
      token: { type: 'string', min: 1 },
      expiration: { type: 'dateTime', min: 1 },
      'websocket-url': { type: 'url', min: 1 },
    },
    base: 'http://hl7.org/fhir/uv/subscriptions-backport/OperationDefinition/backport-subscription-get-ws-binding-token',
    lacks: ['ids'],
  },
  methods: ['GET', 'POST'],
  async run(input) {
    await readParameters(input, {});
    const { token, expiresAt, address } = await giveBindingToken(input.ctx, input.id ?? '');
    return fhir(
      toParameters([
        ['token', 'valueString', token],
        ['expiration', 'valueDateTime', expiresAt.toISOString()],
        ['websocket-url', 'valueUrl', address],
      ]),
    );
  },
};
