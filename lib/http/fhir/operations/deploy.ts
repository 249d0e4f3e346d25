import { deployBot } from '#lib/domain/bots/deploy-bot.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { deployBotRequest } from '#lib/protocol/requests/create-bot.ts';
import { parametersBody } from '../../door/parameters-body.ts';
import { fhir } from '../../door/reply.ts';
import type { Operation } from './operation.ts';
import { refuseAddress } from './read-parameters.ts';

/** Source in JSON may take six characters for one. */
const BODY_LIMIT = 12 * 1024 * 1024;

/** `Bot/:id/$deploy` (contract §5.5). */
export const deployOperation: Operation = {
  definition: {
    code: 'deploy',
    resource: 'Bot',
    at: ['instance'],
    affectsState: true,
    parameters: {
      code: { type: 'string', documentation: 'TypeScript or JavaScript; else what the Bot refers to' },
      filename: { type: 'string' },
      note: { type: 'string', documentation: 'What this version is, for who reads its history' },
    },
    returns: 'OperationOutcome',
    comment: 'Also as a JSON object with these names.',
  },
  methods: ['POST'],
  run: async ({ ctx, request, url, id }) => {
    refuseAddress(url);
    const input = await parametersBody(deployBotRequest, BODY_LIMIT).read(request);
    await deployBot(ctx, id!, input);
    return fhir(allOk());
  },
};
