import { createHash } from 'node:crypto';
import type { Hl7Message } from '#lib/protocol/hl7/message.ts';

/**
 * The same for what a sender sends again because no acknowledgement came: all of it but MSH-7, which some stamp anew. A control ID alone would not
 * do: senders that begin to count anew would have messages taken for others.
 */
export function fingerprint(message: Hl7Message): string {
  const hash = createHash('sha256');
  const [, ...fields] = message.header.fields.map(String);
  for (const [index, field] of fields.entries()) if (index !== DATE_TIME) hash.update(`${field}\n`);
  // Not what stands before MSH, which is no part of it.
  const text = message.toString().trimStart();
  const end = text.search(/[\r\n]/);
  return hash.update(end < 0 ? '' : text.slice(end).trimEnd()).digest('base64url');
}

/** MSH-7, where MSH-2 is the first. */
const DATE_TIME = 5;
