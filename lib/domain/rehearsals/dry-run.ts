import { createHash } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import type { DryRun, DryRunRequest } from '#lib/protocol/bots/dry-run.ts';
import { type BotProgram, toProgram } from '#lib/protocol/bots/to-program.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { requireInput } from '../bot-samples/require-input.ts';
import { compileBot } from '../bots/compile-bot.ts';
import { requireShort } from '../bots/deploy-bot.ts';
import { findCode } from '../bots/find-code.ts';
import { type BotSecrets, type LoadedBot, loadBot } from '../bots/load-bot.ts';
import { requireBotsFeature } from '../bots/require-bot.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import type { BotCode } from '../bots/to-bot-code.ts';
import type { Bridge, Ready } from '../runs/run-loaded-bot.ts';
import { toEvent } from '../runs/to-event.ts';
import { type RehearsedCode, type RehearsedInput, rehearseRun } from './rehearse-run.ts';

/** What a run would do and answer, of a draft, a version or what is live; nothing of it is done. For administrators. */
export async function dryRun(
  ctx: Ctx,
  projectId: string,
  botId: string,
  request: DryRunRequest,
  bridge: Bridge,
): Promise<DryRun> {
  requireProjectAdmin(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  const ready = await readyToRehearse(ctx, projectId, botId);
  requireInput(request.input);
  const input = toInput(request.input);
  const code = await toCode(ready.bot, request);
  return rehearseRun(ctx, ready, code, input, request.stubs ?? {}, bridge);
}

/** Whether a dry run is possible at all. */
export async function canRehearse(ctx: Ctx, projectId: string, botId: string): Promise<boolean> {
  const caller = requireActor(ctx);
  if (caller.projectId !== projectId || !caller.features.includes('bots')) return false;
  return (await loadBot(projectId, botId))?.actor !== undefined;
}

/** Where a bot is to run otherwise than it does: its settings, and secrets besides its own. */
export type Otherwise = { settings?: Partial<Bot>; secrets?: BotSecrets };

/** Whether they may is asked before. Throws 400 for what keeps the bot from running at all. */
export async function readyToRehearse(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { settings, secrets }: Otherwise = {},
): Promise<Omit<Ready, 'code'>> {
  const caller = requireActor(ctx);
  // A super-admin stands above the project, and no bot runs for who is not in it.
  if (caller.projectId !== projectId) throw new AppError('forbidden', 'A dry run is for who is in the project');
  requireBotsFeature(caller);
  const found = await loadBot(projectId, botId);
  const bot = found && {
    ...found,
    resource: { ...found.resource, ...settings },
    secrets: secrets ? withSecrets(found.secrets, secrets) : found.secrets,
  };
  const actor = bot?.resource.runAsUser && bot.actor ? caller : bot?.actor;
  if (!bot || !actor) throw new AppError('invalid', 'The bot has no active membership to run under');
  return { bot, caller, actor };
}

/** By what is brought: of one mask for all samples, which goes by the object (runs/mask-result.ts). */
const joined = new WeakMap<BotSecrets, { own: BotSecrets; all: BotSecrets }>();

function withSecrets(own: BotSecrets, brought: BotSecrets): BotSecrets {
  const known = joined.get(brought);
  if (known?.own === own) return known.all;
  const all = { ...own, ...brought };
  joined.set(brought, { own, all });
  return all;
}

/** Throws 415 for a type that bots do not take, 400 for a body that is none of it. */
export function toInput({ contentType, body }: DryRunRequest['input']): RehearsedInput {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  return { event: toEvent(type, body), rawText: body, contentType };
}

async function toCode({ row, code: live }: LoadedBot, request: DryRunRequest): Promise<RehearsedCode> {
  const program = toProgram(request);
  if (program) return toDraft(row.projectId, program);
  const found = request.version === undefined ? live : await findCode(row.projectId, row.id, request.version);
  if (found) return { ...found, key: keyOf(found) };
  throw request.version === undefined
    ? new AppError('invalid', 'Nothing is deployed: name code or a version', { expression: 'code' })
    : new AppError('invalid', `The bot has no version ${request.version}`, { expression: 'version' });
}

/** A number may come again with other code. */
export function keyOf({ number, hash }: Pick<BotCode, 'number' | 'hash'>): string {
  return `${number}-${hash}`;
}

/** Throws 400 for code that does not compile. */
export async function toDraft(projectId: string, program: BotProgram): Promise<RehearsedCode> {
  requireShort(program);
  const { code: bundle, sourceMap } = await compileBot(projectId, program);
  const key = `draft-${createHash('sha256').update(bundle).digest('hex')}`;
  return { key, number: null, bundle, sourceMap };
}
