import { charsetLabel, declaredCharset, decoderOf } from './charsets.ts';
import { Hl7Error } from './error.ts';

/**
 * The text of a message's bytes. The sender's word (`charset` of the media type) wins over MSH-18; UTF-8 without either.
 * Throws Hl7Error for an unknown character set and for bytes that are not of it.
 */
export function decodeHl7(bytes: Uint8Array, charset?: string): string {
  const named =
    charset ?? declaredCharset(latin1.decode(bytes.subarray(0, HEADER_BYTES)), bytes.includes(ESCAPE)) ?? 'utf-8';
  const decoder = decoderOf(charsetLabel(named));
  if (!decoder) throw new Hl7Error(`Unknown character set ${JSON.stringify(named.slice(0, 40))} (MSH-18)`);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Hl7Error(`The message is not valid ${named.slice(0, 40)} text (MSH-18)`);
  }
}

// Separators and names of character sets are ASCII in every set that table 0211 allows as the first one.
const latin1 = new TextDecoder('iso-8859-1');
const HEADER_BYTES = 4096;
/** By which ISO 2022 goes from one set to another. */
const ESCAPE = 0x1b;
