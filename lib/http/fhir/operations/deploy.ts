import { requireActor } from '#lib/domain/access/context.ts';
import { loadBot } from '#lib/domain/bots/load-bot.ts';
import { releaseBot } from '#lib/domain/rehearsals/release-bot.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import type { SampleResult } from '#lib/protocol/bots/samples.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { deployBotRequest } from '#lib/protocol/requests/create-bot.ts';
import { endWork } from '../../door/large-bodies.ts';
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
      code: { type: 'string', documentation: 'TypeScript or JavaScript; else that of the version that is live' },
      filename: { type: 'string' },
      note: { type: 'string', documentation: 'What this version is, for who reads its history' },
      force: { type: 'boolean', documentation: 'Also when samples of the bot are not as expected' },
      canary: { type: 'integer', documentation: 'Not live, but tried on this percentage of runs: 1 to 50' },
      over: { type: 'integer', documentation: 'The version that is live, 0 for none: 412 where another is' },
    },
    returns: 'OperationOutcome',
    comment: 'Also as a JSON object with these names, which alone may have files: [{ filename, content }].',
  },
  methods: ['POST'],
  run: async ({ ctx, request, url, id }) => {
    refuseAddress(url);
    const input = await parametersBody(deployBotRequest, BODY_LIMIT).read(request);
    endWork(request);
    const { samples } = await releaseBot(ctx, id!, input, botBridge);
    const outcome = withSamples(samples);
    const bot = await loadBot(requireActor(ctx).projectId, id!);
    return fhir(bot?.actor ? outcome : { ...outcome, issue: [...outcome.issue, UNABLE] });
  },
};

const UNABLE = {
  severity: 'warning' as const,
  code: 'business-rule',
  details: { text: 'The bot has no active membership in this project: it cannot run until it has one' },
};

/** All OK, and how each sample did: none of them kept it from being live. */
function withSamples(samples: readonly SampleResult[]): OperationOutcome {
  const outcome = allOk();
  const told = samples.map(({ name, ok }) => ({
    severity: ok ? ('information' as const) : ('warning' as const),
    code: 'informational',
    details: { text: `Sample ${name} is ${ok ? '' : 'not '}as expected` },
  }));
  return { ...outcome, issue: [...outcome.issue, ...told] };
}
