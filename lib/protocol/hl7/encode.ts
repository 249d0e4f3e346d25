import { charsetLabel, declaredCharset, decoderOf } from './charsets.ts';

type EncodedHl7 = { bytes: Uint8Array<ArrayBuffer> /** As a media type's parameter. */; charset: string };

/**
 * A message's bytes, in the charset that its own MSH-18 says. Where that has no room for a character, or cannot be written here, the
 * bytes are UTF-8 and MSH-18 says so. What is no message is UTF-8 as it is.
 */
export function encodeHl7(text: string): EncodedHl7 {
  if (!/^\s*MSH/.test(text)) return { bytes: new TextEncoder().encode(text), charset: 'utf-8' };
  const declared = declaredCharset(text, false);
  const label = declared === undefined ? 'utf-8' : charsetLabel(declared);
  if (label === 'utf-8' || label === 'utf8') return { bytes: new TextEncoder().encode(text), charset: 'utf-8' };
  const bytes = encodeAs(text, label);
  if (bytes) return { bytes, charset: label };
  return { bytes: new TextEncoder().encode(withCharset(text, 'UNICODE UTF-8')), charset: 'utf-8' };
}

function encodeAs(text: string, label: string): Uint8Array<ArrayBuffer> | undefined {
  const decoder = decoderOf(label);
  const table = decoder && tableOf(decoder.encoding);
  if (!table) return undefined;
  const parts: number[] = [];
  for (const character of text) {
    const code = table.get(character) ?? (label === 'gb18030' ? beyondTables(character) : undefined);
    if (code === undefined) return undefined;
    if (code > 0xffff) parts.push((code >>> 24) & 0xff, (code >>> 16) & 0xff);
    if (code > 0xff) parts.push((code >>> 8) & 0xff);
    parts.push(code & 0xff);
  }
  const bytes = Uint8Array.from(parts);
  // A set may write two characters the same way.
  return isReadAs(decoder, bytes, text) ? bytes : undefined;
}

function isReadAs(decoder: TextDecoder, bytes: Uint8Array, text: string): boolean {
  try {
    return decoder.decode(bytes) === text;
  } catch {
    return false;
  }
}

/** By character: its bytes, as one number. */
type Table = ReadonlyMap<string, number>;

const tables = new Map<string, Table | undefined>();

/** What writes a set is what reads it, turned round. Undefined for sets with a state, or with 16 bits. */
function tableOf(encoding: string): Table | undefined {
  if (!tables.has(encoding)) tables.set(encoding, makeTable(encoding));
  return tables.get(encoding);
}

function makeTable(encoding: string): Table | undefined {
  const table = new Map<string, number>();
  const read = new TextDecoder(encoding, { fatal: true });
  const add = (...bytes: number[]) => {
    try {
      const text = read.decode(Uint8Array.from(bytes));
      const isOne = text.length === (text.codePointAt(0)! > 0xffff ? 2 : 1);
      if (isOne && !table.has(text))
        table.set(
          text,
          bytes.reduce((code, byte) => code * 256 + byte, 0),
        );
    } catch {
      // No character of the set.
    }
  };
  for (let byte = 0; byte < 256; byte += 1) add(byte);
  if (/^(?:iso-8859|windows|koi8|macintosh|x-mac|ibm)/.test(encoding)) return table;
  if (!/^(?:gb|big5|euc-kr)/.test(encoding)) return undefined;
  for (let lead = 0x81; lead < 0xff; lead += 1) {
    for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail);
  }
  if (encoding === 'gb18030') eachOfFour(0x81, 0x84, add);
  return table;
}

/** GB 18030's four-byte forms with a first byte in this range, in their order. */
function eachOfFour(from: number, to: number, add: (...bytes: number[]) => void): void {
  for (let first = from; first <= to; first += 1) {
    for (let rest = 0; rest < 12_600; rest += 1) {
      add(first, 0x30 + Math.floor(rest / 1260), 0x81 + (Math.floor(rest / 10) % 126), 0x30 + (rest % 10));
    }
  }
}

/** GB 18030 counts the characters past U+FFFF in order, from 90 30 81 30. */
function beyondTables(character: string): number | undefined {
  const at = character.codePointAt(0)! - 0x10000;
  if (at < 0) return undefined;
  const digits = [
    0x90 + Math.floor(at / 12_600),
    0x30 + (Math.floor(at / 1260) % 10),
    0x81 + (Math.floor(at / 10) % 126),
  ];
  return [...digits, 0x30 + (at % 10)].reduce((code, byte) => code * 256 + byte, 0);
}

function withCharset(text: string, charset: string): string {
  return text.replace(/MSH(.)[^\r\n]*/, (header, separator: string) => {
    return header.split(separator).with(17, charset).join(separator);
  });
}
