import type { Ctx } from '#lib/domain/access/context.ts';
import { executeBot } from '#lib/domain/bots/execute-bot.ts';
import { findBotByIdentifier } from '#lib/domain/bots/find-bot-by-identifier.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { readBotInput } from './bot-input.ts';
import { toBotReply } from './bot-reply.ts';
import { onceClaimed } from './idempotency.ts';
import type { Reply } from './reply.ts';

/** `Bot/:id/$execute` and `Bot/$execute?identifier=`, GET and POST; once for each Idempotency-Key. */
export async function executeBotRequest(ctx: Ctx, request: Request, url: URL, id: string | undefined): Promise<Reply> {
  const botId = id ?? (await findBotByIdentifier(ctx, onlyOne(url.searchParams.getAll('identifier'))));
  const { mediaType, ...input } = await readBotInput(request, url, id ? 'id' : 'identifier');
  return onceClaimed(ctx, request, input.rawText, async () =>
    toBotReply(await executeBot(ctx, botId, { ...input, trigger: 'http' }, botBridge), mediaType),
  );
}

function onlyOne(values: string[]): string | null {
  return values.length === 1 ? values[0]! : null;
}
