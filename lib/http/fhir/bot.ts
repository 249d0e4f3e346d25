import { deployBot } from '#lib/domain/bots/deploy-bot.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { deployBotRequest } from '#lib/protocol/requests/create-bot.ts';
import { executeBotRequest } from '../bots/execute-bot-request.ts';
import { requireOwnPage } from '../door/authenticate.ts';
import { jsonBody } from '../door/read-body.ts';
import { fhir } from '../door/reply.ts';
import type { Operation } from './operation.ts';

/** Source in JSON may take six characters for one. */
const DEPLOY_BODY_LIMIT = 12 * 1024 * 1024;

/** `Bot/$execute?identifier=` and `Bot/:id/$execute` (contract §2.5, §2.6). */
export const executeOperation: Operation = {
  methods: ['GET', 'POST'],
  run: async ({ ctx, request, url, id }) => {
    requireOwnPage(request);
    return executeBotRequest(ctx, request, url, id);
  },
};

/** `Bot/:id/$deploy` (contract §5.5). */
export const deployOperation: Operation = {
  methods: ['POST'],
  run: async ({ ctx, request, id }) => {
    const input = await jsonBody(deployBotRequest, undefined, DEPLOY_BODY_LIMIT).read(request);
    await deployBot(ctx, id!, input);
    return fhir(allOk());
  },
};
