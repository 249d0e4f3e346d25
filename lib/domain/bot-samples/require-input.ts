import { AppError } from '#lib/base/errors.ts';
import type { SampleRequest } from '#lib/protocol/bots/samples.ts';
import { HL7_TYPE } from '#lib/protocol/hl7/media-type.ts';
import { isJson } from '#lib/protocol/json/is-json.ts';
import { checkJson } from '#lib/protocol/json/json.ts';
import { refuseManyValues } from '#lib/protocol/json/refuse-many-values.ts';

const TEXTS = ['text/plain', 'application/x-www-form-urlencoded', HL7_TYPE];

/** What a bot could never be given, as runs/to-event.ts has it, would keep each version from being deployed. Throws 415, 400. */
export function requireInput({ contentType, body }: SampleRequest['input']): void {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  if (isJson(type)) requireJson(body);
  else if (!TEXTS.includes(type)) {
    const text = `A bot takes text, JSON, form, FHIR JSON or HL7 v2, not ${type}`;
    throw new AppError('unsupported-media-type', text, { expression: 'input.contentType' });
  }
}

function requireJson(body: string): void {
  if (body === '') return;
  try {
    refuseManyValues(body);
    checkJson(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { expression: 'input.body', cause: error });
  }
}
