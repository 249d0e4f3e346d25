import { declaredCharset } from './decode.ts';

/**
 * A message's bytes and their charset (as a media type's parameter): Latin-1 where its own MSH-18 says 8859/1 and has room for every
 * character, as it came from most senders of it; UTF-8 otherwise.
 */
export function encodeHl7(text: string): { bytes: Uint8Array<ArrayBuffer>; charset: string } {
  const codes = Uint16Array.from(text, (character) => character.charCodeAt(0));
  if (declaredCharset(text) === '8859/1' && codes.every((code) => code < 0x100))
    return { bytes: Uint8Array.from(codes), charset: 'iso-8859-1' };
  return { bytes: new TextEncoder().encode(text), charset: 'utf-8' };
}
