import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { createMask, type Mask } from '#lib/protocol/bots/secret-mask.ts';
import type { BotSecrets } from '../bots/load-bot.ts';

/** By the secrets of a loaded bot, which are the same object for all of its runs until one of them changes. */
const masks = new WeakMap<BotSecrets, { mask: Mask | undefined }>();

export function maskOf(secrets: BotSecrets): Mask | undefined {
  const known = masks.get(secrets) ?? { mask: createMask(Object.values(secrets)) };
  masks.set(secrets, known);
  return known.mask;
}

/**
 * The result without secrets, those of the bot, wherever they stand in it: before it is kept and before it is answered. An answer is read by whoever
 * may run the bot, and that is more than those who may know its secrets.
 */
export async function maskResult(result: RunResult, mask: Mask | undefined): Promise<RunResult> {
  if (!mask) return result;
  const logs: RunResult['logs'] = [];
  for (const line of result.logs) logs.push({ ...line, text: await mask(line.text, { cut: true }) });
  const calls: RunResult['calls'] = [];
  for (const call of result.calls) {
    const wrote = call.wrote && (await Promise.all(call.wrote.map((version) => mask(version))));
    calls.push({
      ...call,
      ...(call.target !== undefined && { target: await mask(call.target) }),
      ...(wrote && { wrote }),
    });
  }
  if (result.ok) {
    const { kind, text } = result.value;
    const isText = kind === 'string' || kind === 'hl7';
    const masked = await mask(text, { json: !isText });
    // What had to be withheld as a whole is none of what it was.
    const isWithheld = !isText && masked !== text && masked.startsWith('"') && !text.startsWith('"');
    return { ...result, logs, calls, value: isWithheld ? { kind: 'json', text: masked } : { kind, text: masked } };
  }
  const { message, stack, outcome } = result;
  return {
    ...result,
    logs,
    calls,
    message: await mask(message, { cut: true }),
    ...(stack !== undefined && { stack: await mask(stack, { cut: true }) }),
    ...(outcome !== undefined && { outcome: await maskOutcome(outcome, mask) }),
  };
}

async function maskOutcome(outcome: Record<string, unknown>, mask: Mask): Promise<Record<string, unknown>> {
  const text = JSON.stringify(outcome);
  const masked: unknown = JSON.parse(await mask(text, { json: true }));
  if (typeof masked === 'object' && masked !== null) return masked as Record<string, unknown>;
  const issue = [{ severity: 'error', code: 'suppressed', details: { text: masked } }];
  return { resourceType: 'OperationOutcome', issue };
}
