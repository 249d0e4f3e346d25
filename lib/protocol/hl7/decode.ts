import { Hl7Error } from './error.ts';

/** HL7 table 0211 names (MSH-18) that differ from the Encoding Standard's labels. */
const CHARSETS: Record<string, string> = {
  ASCII: 'utf-8',
  '8859/1': 'iso-8859-1',
  '8859/2': 'iso-8859-2',
  '8859/3': 'iso-8859-3',
  '8859/4': 'iso-8859-4',
  '8859/5': 'iso-8859-5',
  '8859/6': 'iso-8859-6',
  '8859/7': 'iso-8859-7',
  '8859/8': 'iso-8859-8',
  '8859/9': 'windows-1254',
  '8859/15': 'iso-8859-15',
  UNICODE: 'utf-8',
  'UNICODE UTF-8': 'utf-8',
  'UNICODE UTF-16': 'utf-16le',
  'GB 18030-2000': 'gb18030',
  'BIG-5': 'big5',
  'KS X 1001': 'euc-kr',
  'ISO IR87': 'iso-2022-jp',
};

/**
 * The text of a message's bytes. The sender's word (`charset` of the media type) wins over MSH-18; UTF-8 without either.
 * Throws Hl7Error for an unknown character set and for bytes that are not of it.
 */
export function decodeHl7(bytes: Uint8Array, charset?: string): string {
  const named = charset ?? declaredCharset(latin1.decode(bytes.subarray(0, HEADER_BYTES))) ?? 'utf-8';
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(CHARSETS[named.toUpperCase()] ?? named, { fatal: true, ignoreBOM: true });
  } catch {
    throw new Hl7Error(`Unknown character set ${JSON.stringify(named.slice(0, 40))} (MSH-18)`);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Hl7Error(`The message is not valid ${named.slice(0, 40)} text (MSH-18)`);
  }
}

// Separators and names of character sets are ASCII in every set that table 0211 allows as the first one.
const latin1 = new TextDecoder('iso-8859-1');
const HEADER_BYTES = 4096;

/** MSH-18 of a text that starts with a message. */
export function declaredCharset(text: string): string | undefined {
  const header = /MSH(.)[^\r\n]*/.exec(text.slice(0, HEADER_BYTES));
  if (!header) return undefined;
  const [, separator = '|'] = header;
  const [first = ''] = (header[0].split(separator)[17] ?? '').split(/[~^]/);
  return first.trim() || undefined;
}
