import { isUuid } from '#lib/base/ids.ts';
import { SANDBOX_LIMITS } from '#lib/infra/sandbox/host/limits.ts';
import type { AnswerCall, RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { Mask } from '#lib/protocol/bots/secret-mask.ts';
import type { BotApiReply } from './bot-api.ts';
import type { BotRequest } from './bot-request.ts';
import { maskResult } from './mask-result.ts';

/** A Binary without its data is short, unless it is none of ours. */
const MOST_READ = 64 * 1024;

/**
 * What is answered to who waits for it, and what is kept on record, both without secrets. They differ for a Binary that the bot has stored (`createBinary`,
 * `createPdf`): it comes without its bytes, and is answered with them (contract §2.5); the record does not have them a second time.
 */
export async function toAnswer(
  result: RunResult,
  call: AnswerCall,
  input: BotRequest,
  mask: Mask | undefined,
): Promise<{ answer: RunResult; kept: RunResult }> {
  const whole = await withStoredBytes(result, call, input);
  const answer = await maskResult(whole, mask);
  return { answer, kept: whole === result || !whole.ok ? answer : await maskResult(result, mask) };
}

/** As the run itself may read them through `call`. A failure where they are not to be had: an empty file would look like one. */
async function withStoredBytes(result: RunResult, call: AnswerCall, input: BotRequest): Promise<RunResult> {
  const id = idOfStored(result);
  if (!id || input.job || !['http', 'webhook'].includes(input.trigger)) return result;
  const path = `/fhir/R4/Binary/${id}`;
  const asked = { method: 'GET', path, headers: { accept: 'application/fhir+json' } };
  const { status, body, isBase64 } = await call('api', [asked], () => undefined, new AbortController().signal)
    .then((reply) => reply as BotApiReply)
    .catch(() => ({ status: 0, body: '', isBase64: undefined }));
  const text = isBase64 ? Buffer.from(body, 'base64').toString() : body;
  if (status !== 200) return failed(result, 'The bytes of the Binary that the bot returned cannot be read by it');
  if (Buffer.byteLength(text) > SANDBOX_LIMITS.resultBytes)
    return failed(
      result,
      'The Binary that the bot returned is larger than 6 MiB in base64: answer where it is instead',
    );
  return { ...result, ok: true, value: { kind: 'binary', text } };
}

function idOfStored(result: RunResult): string | undefined {
  if (!result.ok || result.value.kind !== 'binary' || result.value.text.length > MOST_READ) return undefined;
  const { id, data } = JSON.parse(result.value.text) as { id?: unknown; data?: unknown };
  return data === undefined && isUuid(id) ? id : undefined;
}

function failed({ logs, calls, durationMs, usage }: RunResult, message: string): RunResult {
  return { ok: false, reason: 'unserializable', message, logs, calls, durationMs, usage };
}
