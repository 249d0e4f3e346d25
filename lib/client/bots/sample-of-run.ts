import type { BotRunDetail, RunContent } from '#lib/protocol/bots/runs/bot-runs.ts';
import { HL7_TYPE } from '#lib/protocol/hl7/media-type.ts';

const TYPES: Record<Exclude<RunContent['kind'], 'json'>, string> = {
  text: 'text/plain',
  form: 'application/x-www-form-urlencoded',
  hl7: HL7_TYPE,
};

/** What went into a run that is revealed, as a sample has it; undefined where it was not kept as a whole, or a secret stood in it. */
export function toSampleInput({
  input,
}: Pick<BotRunDetail, 'input'>): { contentType: string; body: string } | undefined {
  if (!input?.isKept || input.isCut || input.text === null || /\[secret(?: [\w.-]{1,128})?\]/.test(input.text))
    return undefined;
  const { kind, text } = input;
  if (kind !== 'json') return { contentType: TYPES[kind], body: text };
  const isFhir = /^\s*\{\s*"resourceType"/.test(text);
  return { contentType: isFhir ? 'application/fhir+json' : 'application/json', body: text };
}
