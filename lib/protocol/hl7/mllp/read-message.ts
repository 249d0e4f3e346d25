import { decodeHl7 } from '../decode.ts';
import { Hl7Error } from '../error.ts';
import { Hl7Message } from '../message.ts';
import type { Fault } from './acknowledge.ts';
import { findExcess } from './bounds.ts';

/** `message` also beside a fault, where there is a header that can be answered. */
export type ReadMessage = { message: Hl7Message | undefined; text: string; fault?: Fault };

/** Longer ones are nobody's: they would only fill the index of what was received. */
const MOST_CONTROL_ID = 199;

/** A message of a stream, and what it is refused for (AR): what could not be told apart from others, or not be kept as it is. */
export function readMessage(bytes: Uint8Array): ReadMessage {
  const excess = findExcess(bytes);
  if (excess !== undefined) return { message: headerOf(bytes), text: '', fault: { code: '102', text: excess } };
  let text: string;
  try {
    text = decodeHl7(bytes);
  } catch (error) {
    return { message: headerOf(bytes), text: '', fault: toFault(error, '102', 18) };
  }
  try {
    const message = Hl7Message.parse(text);
    return { message, text: message.toString(), ...findFault(message, text) };
  } catch (error) {
    return { message: headerOf(bytes), text: '', fault: toFault(error, '100') };
  }
}

/** As far as it can be answered at all; of one that is too large, too. */
export function headerOf(bytes: Uint8Array): Hl7Message | undefined {
  const [line = ''] = new TextDecoder('iso-8859-1').decode(bytes.subarray(0, HEADER_BYTES)).split(/[\r\n]/);
  try {
    const message = Hl7Message.parse(line);
    // What it calls its character set is what could not be read.
    message.header.setField(18, '');
    return message;
  } catch {
    return undefined;
  }
}

const HEADER_BYTES = 4096;

function findFault({ header }: Hl7Message, text: string): { fault?: Fault } {
  const missing = (field: number, name: string) => ({
    fault: { code: '101', text: `MSH-${field} (${name}) is missing`, segment: 'MSH', field } as const,
  });
  const controlId = header.getField(10)?.toString() ?? '';
  if (controlId === '') return missing(10, 'message control ID');
  if (header.getComponent(9, 1) === '') return missing(9, 'message type');
  const wrong = (text: string) => ({ fault: { code: '102', text, segment: 'MSH', field: 10 } as const });
  if (controlId.length > MOST_CONTROL_ID) return wrong(`MSH-10 has at most ${MOST_CONTROL_ID} characters`);
  // PostgreSQL keeps it in no text.
  return text.includes('\u0000') ? wrong('The message has a NUL character') : {};
}

function toFault(error: unknown, code: '100' | '102', field?: number): Fault {
  if (!(error instanceof Hl7Error)) throw error;
  return { code, text: error.message, segment: 'MSH', ...(field !== undefined && { field }) };
}
