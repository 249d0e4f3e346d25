import { AppError } from '#lib/base/errors.ts';
import { HL7_TYPE } from '#lib/protocol/hl7/media-type.ts';
import { isJson } from '#lib/protocol/json/is-json.ts';
import { checkJson } from '#lib/protocol/json/json.ts';
import { refuseManyValues } from '#lib/protocol/json/refuse-many-values.ts';
import type { BotEvent } from './bot-request.ts';

/** What a bot is given (contract §2.5): by media type, in small letters and without parameters. Throws 415 for any other, 400 for what is no JSON. */
export function toEvent(type: string, text: string): BotEvent {
  if (type === '' && text === '') return { kind: 'undefined' };
  if (type === 'text/plain') return { kind: 'text', value: text };
  if (type === HL7_TYPE) return { kind: 'hl7', value: text };
  if (type === 'application/x-www-form-urlencoded')
    return { kind: 'json', text: JSON.stringify(Object.fromEntries(new URLSearchParams(text))) };
  if (isJson(type)) {
    refuseManyValues(text);
    if (text === '') return { kind: 'undefined' };
    checkJson(text);
    return { kind: 'json', text };
  }
  throw new AppError(
    'unsupported-media-type',
    `A bot takes text, JSON, form, FHIR JSON or HL7 v2, not ${type || 'a body without Content-Type'}`,
  );
}
