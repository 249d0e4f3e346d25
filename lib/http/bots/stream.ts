import { setTimeout as pause } from 'node:timers/promises';
import { pace } from '#lib/base/pace.ts';
import { outcomeStatus } from '#lib/domain/runs/record/outcome-status.ts';
import type { RunResult, RunSuccess, RunValue } from '#lib/infra/sandbox/host/run-job.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { acceptedTypes } from '../door/accepted-types.ts';
import type { Reply, StreamedReply } from '../door/reply.ts';
import { streamed } from '../door/streamed.ts';
import { outcomeOf } from './outcome.ts';

const STREAM_TYPE = 'text/event-stream; charset=utf-8';
/** It says nothing (WHATWG HTML §9.2.6), but that somebody is there. */
const BEAT = ':\n\n';

export function wantsStream(request: Request): boolean {
  return acceptedTypes(request).includes('text/event-stream');
}

/** A run as server-sent events (contract §2.6): its value in one frame and the end, or the error. 200 whatever happened: a stream has begun. */
export function toStream(result: RunResult): { reply: Reply; failed: boolean } {
  const outcome = outcomeOf(result);
  const failed = outcome !== undefined && (!result.ok || outcomeStatus(outcome) >= 400);
  const frames = failed
    ? [errorFrame(messageOf(outcome))]
    : [outcome ? JSON.stringify(outcome) : toJson((result as RunSuccess).value), '[DONE]'];
  const body = frames.map((frame) => `data: ${frame}\n\n`).join('');
  return { reply: { status: 200, body, contentType: STREAM_TYPE }, failed };
}

/**
 * The stream of a run that may take long: what it is refused for in the first moments has its own status; later it is a 200 that says all along
 * that it lives, and an error is a frame of it. `explain` says in words what it was. Who goes does not end the run.
 */
export async function keptAlive(
  run: () => Promise<Reply>,
  explain: (error: unknown) => OperationOutcome,
): Promise<Reply | StreamedReply> {
  const running = run();
  const soon = await orBeat(running);
  if (soon) return soon;
  return { status: 200, body: streamed(beating(running, explain)), contentType: STREAM_TYPE };
}

async function* beating(running: Promise<Reply>, explain: (error: unknown) => OperationOutcome) {
  yield BEAT;
  try {
    for (;;) {
      const reply = await orBeat(running);
      yield reply ? reply.body! : BEAT;
      if (reply) return;
    }
  } catch (error) {
    yield `data: ${errorFrame(messageOf(explain(error)))}\n\n`;
  }
}

/** Undefined when it is time to say something. */
async function orBeat(running: Promise<Reply>): Promise<Reply | undefined> {
  const heard = new AbortController();
  const beat = pause(pace.streamBeatMs, undefined, { signal: heard.signal }).catch(() => undefined);
  try {
    return await Promise.race([running, beat]);
  } finally {
    heard.abort();
  }
}

function errorFrame(message: string): string {
  return JSON.stringify({ error: true, message });
}

function toJson({ kind, text }: RunValue): string {
  if (kind === 'string' || kind === 'json-string' || kind === 'hl7') return JSON.stringify(text);
  return text || 'null';
}

function messageOf({ issue: [first] }: OperationOutcome): string {
  return first?.details?.text ?? first?.diagnostics ?? 'The bot failed';
}
