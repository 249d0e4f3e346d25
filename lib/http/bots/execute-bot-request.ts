import type { Ctx } from '#lib/domain/access/context.ts';
import { findBotByIdentifier } from '#lib/domain/bots/find-bot-by-identifier.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { executeBot } from '#lib/domain/runs/execute-bot.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { toErrorReply } from '../door/error-reply.ts';
import { onceClaimed } from '../door/idempotency.ts';
import type { Reply, StreamedReply } from '../door/reply.ts';
import { prefersAsync, startJobReply } from './async-job.ts';
import { readBotInput } from './input.ts';
import { toJobEnd } from './job.ts';
import { toBotReply } from './reply.ts';
import { keptAlive, toStream, wantsStream } from './stream.ts';

/** Which bot, and what is added to what it is told and taken of what it answers. */
export type Target = {
  find: () => Promise<string>;
  addressedBy: 'id' | 'identifier';
  headers?: Record<string, string>;
  shape?: (result: RunResult) => RunResult;
};

/** `Bot/:id/$execute` and `Bot/$execute?identifier=`. */
export function botAt(ctx: Ctx, url: URL, id: string | undefined): Target {
  const find = async () => id ?? findBotByIdentifier(ctx, onlyOne(url.searchParams.getAll('identifier')));
  return { find, addressedBy: id ? 'id' : 'identifier' };
}

/**
 * Runs a bot, by GET or POST; once for each Idempotency-Key, which is of one type of input and one kind of answer. With Prefer: respond-async the answer comes first and everything else, also that there
 * is no such bot, is the job's; with Accept: text/event-stream it is a stream.
 */
export async function executeBotRequest(
  ctx: Ctx,
  request: Request,
  url: URL,
  { find, addressedBy, headers, shape }: Target,
): Promise<Reply | StreamedReply> {
  const read = async () => {
    const input = await readBotInput(request, url, addressedBy);
    return { ...input, headers: { ...input.headers, ...headers }, shape };
  };
  if (prefersAsync(request)) {
    const { mediaType, ...input } = await read();
    return onceClaimed(ctx, request, ['async', mediaType, input.rawText], () =>
      startJobReply(ctx, request, async (job) =>
        toJobEnd(await executeBot(ctx, await find(), { ...input, trigger: 'http', job }, botBridge)),
      ),
    );
  }
  const botId = await find();
  const { mediaType, ...input } = await read();
  const run = () => executeBot(ctx, botId, { ...input, trigger: 'http' }, botBridge);
  if (wantsStream(request))
    return keptAlive(
      () =>
        streamed(() =>
          onceClaimed(ctx, request, ['stream', mediaType, input.rawText], async () => orFail(await run())),
        ),
      (error) => JSON.parse(toErrorReply(error, ctx, request, 'outcome').body as string),
    );
  return onceClaimed(ctx, request, [mediaType, input.rawText], async () => toBotReply(await run(), mediaType));
}

/** A stream that tells of a failure is a 200 too: it leaves an Idempotency-Key as an error does, so that the run may be tried again. */
class FailedStream extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('failed stream');
    this.reply = reply;
  }
}

function orFail(result: Parameters<typeof toStream>[0]): Reply {
  const { reply, failed } = toStream(result);
  if (failed) throw new FailedStream(reply);
  return reply;
}

async function streamed(run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof FailedStream) return error.reply;
    throw error;
  }
}

function onlyOne(values: string[]): string | null {
  return values.length === 1 ? values[0]! : null;
}
