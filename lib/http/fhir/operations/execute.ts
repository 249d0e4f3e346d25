import { botAt, executeBotRequest } from '../../bots/execute-bot-request.ts';
import { requireOwnPage } from '../../door/authenticate.ts';
import type { Operation } from './operation.ts';

/** `Bot/$execute?identifier=` and `Bot/:id/$execute` (contract §2.5, §2.6). */
export const executeOperation: Operation = {
  definition: {
    code: 'execute',
    resource: 'Bot',
    at: ['type', 'instance'],
    affectsState: true,
    parameters: {
      identifier: { type: 'string', documentation: 'Of the bot, system|value, in the address at type level' },
    },
    returns: 'Any',
    comment:
      'The body is the input of the bot, whatever its media type, and by GET all other parameters are. The bot says what is answered.',
  },
  methods: ['GET', 'POST'],
  run: async ({ ctx, request, url, id }) => {
    requireOwnPage(request);
    return executeBotRequest(ctx, request, url, botAt(ctx, url, id));
  },
};
