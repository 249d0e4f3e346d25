import { AppError } from '#lib/base/errors.ts';
import { HL7_TYPE } from '#lib/protocol/hl7/media-type.ts';
import { checkJson } from '#lib/protocol/json/json.ts';
import { refuseManyValues } from '#lib/protocol/json/refuse-many-values.ts';
import type { BotRequest } from '../runs/bot-request.ts';
import { contentOf, type WholeRun } from './find-run.ts';

export type ReplayInput = Pick<BotRequest, 'event' | 'rawText' | 'contentType'>;

/** What a run was given, to be given again, or this text instead. Throws 409 where it is not there as a whole, and 400 for a text that is none of its kind. */
export function replayInput(row: WholeRun, text?: string): ReplayInput {
  const kept = contentOf(row, 'input');
  if (text === undefined) {
    if (!kept && row.version === null)
      throw absent('This run was not begun, and is no more than a note: look for its event among the dead letters');
    if (!kept) return { event: { kind: 'undefined' }, contentType: '' };
    if (!kept.isKept) throw absent('What went into this run was not kept: send an input');
    if (/\[secret(?: [\w.-]{1,128})?\]/.test(kept.text))
      throw absent('A secret stood in what went into this run, and was not kept: send an input');
    if (kept.isCut) throw absent('Only the beginning of what went into this run was kept: send an input');
  }
  const given = text ?? kept!.text;
  switch (kept?.kind ?? 'json') {
    case 'json':
      requireJson(given);
      return { event: { kind: 'json', text: given }, rawText: given, contentType: jsonType(given) };
    case 'form': {
      const fields = JSON.stringify(Object.fromEntries(new URLSearchParams(given)));
      return {
        event: { kind: 'json', text: fields },
        rawText: given,
        contentType: 'application/x-www-form-urlencoded',
      };
    }
    case 'hl7':
      return { event: { kind: 'hl7', value: given }, rawText: given, contentType: HL7_TYPE };
    case 'text':
      return { event: { kind: 'text', value: given }, rawText: given, contentType: 'text/plain' };
  }
}

function requireJson(text: string): void {
  refuseManyValues(text);
  try {
    checkJson(text);
  } catch (cause) {
    throw new AppError('invalid', 'input must be JSON, as that of the run', { expression: 'input', cause });
  }
}

/** As it came: a bot may look at it. */
function jsonType(text: string): string {
  return /^\s*\{\s*"resourceType"/.test(text) ? 'application/fhir+json' : 'application/json';
}

function absent(text: string): AppError {
  return new AppError('conflict', text, { expression: 'input' });
}
