import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { Content } from '#lib/protocol/bots/masking/mask-run.ts';
import type { BotRequest } from '../bot-request.ts';

/** Characters of an input and of an output that are kept; of what is longer its beginning is. */
export const MOST_KEPT = 64 * 1024;

/** What a bot was given, as text. */
export function inputOf({
  event,
  rawText,
  contentType,
}: Pick<BotRequest, 'event' | 'rawText' | 'contentType'>): Content | null {
  switch (event.kind) {
    case 'undefined':
      return null;
    case 'json':
      if (rawText !== undefined && contentType.startsWith('application/x-www-form-urlencoded'))
        return { kind: 'form', text: rawText };
      return { kind: 'json', text: rawText ?? event.text };
    default:
      return { kind: event.kind, text: event.value };
  }
}

/** What it answered; null for nothing, and for a failure. */
export function outputOf(result: RunResult): Content | null {
  if (!result.ok) return null;
  const { kind, text } = result.value;
  if (kind === 'undefined' || kind === 'null') return null;
  if (kind === 'hl7') return { kind: 'hl7', text };
  return { kind: kind === 'string' ? 'text' : 'json', text };
}
