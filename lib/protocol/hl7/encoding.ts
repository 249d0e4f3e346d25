import { Hl7Error } from './error.ts';

/** MSH-1 and the characters of MSH-2. '' = the message does not have that level. */
export type Hl7Separators = {
  field: string;
  component: string;
  repetition: string;
  escape: string;
  subcomponent: string;
};

export const HL7_SEPARATORS: Hl7Separators = {
  field: '|',
  component: '^',
  repetition: '~',
  escape: '\\',
  subcomponent: '&',
};

/** Reads the separators of a message that starts with MSH (HL7 v2.5.1 §2.5.4). Throws Hl7Error. */
export function readSeparators(text: string): Hl7Separators {
  const [, field = '', rest = ''] = /^MSH([^\p{L}\p{N}\s\p{Cc}])([^\r\n]*)/u.exec(text) ?? [];
  if (field === '') throw new Hl7Error('An HL7 message starts with MSH and its field separator');
  const characters = [...(rest.split(field)[0] ?? '')];
  if (
    characters.length > 5 ||
    new Set(characters).size < characters.length ||
    characters.some((c) => /[\p{L}\p{N}\s\p{Cc}]/u.test(c))
  ) {
    throw new Hl7Error('MSH-2 must hold up to five different encoding characters');
  }
  const [component = '', repetition = '', escapeCharacter = '', subcomponent = ''] = characters;
  return { field, component, repetition, escape: escapeCharacter, subcomponent };
}

/** HL7 v2.5.1 §2.7. Highlighting, character-set and local sequences, and what is no sequence at all, stay as they are. */
export function unescapeHl7(text: string, separators: Hl7Separators): string {
  const mark = separators.escape;
  if (mark === '' || !text.includes(mark)) return text;
  let plain = '';
  let from = 0;
  for (let start = text.indexOf(mark); start >= 0; start = text.indexOf(mark, from)) {
    const end = text.indexOf(mark, start + mark.length);
    if (end < 0) break;
    const code = text.slice(start + mark.length, end);
    const value = decodeSequence(code, separators);
    // An escape character that opens nothing may still be followed by a sequence that does.
    const next =
      value === undefined && !/^([HN]|[CMZ][0-9A-Fa-f]*|\.\w+)$/.test(code) ? start + mark.length : end + mark.length;
    plain += text.slice(from, start) + (value ?? text.slice(start, next));
    from = next;
  }
  return plain + text.slice(from);
}

/** Escapes the given separators, and (`controls`: all, otherwise CR and LF) control characters. */
export function escapeHl7(text: string, separators: Partial<Hl7Separators>, controls = true): string {
  const mark = separators.escape ?? '';
  const codes = new Map<string | undefined, string>([
    [separators.subcomponent, 'T'],
    [separators.repetition, 'R'],
    [separators.component, 'S'],
    [separators.field, 'F'],
  ]);
  if (controls) codes.set(mark, 'E');
  let escaped = '';
  for (const character of text) {
    const code = codes.get(character) ?? controlCode(character, controls);
    if (code !== undefined && mark === '')
      throw new Hl7Error('The message has no escape character for this value (MSH-2)');
    escaped += code === undefined ? character : mark + code + mark;
  }
  return escaped;
}

/** `text` of ours for a message that may have no escape character: with spaces then for what would need one. */
export function toWritable(text: string, separators: Hl7Separators): string {
  if (separators.escape !== '') return text;
  const marks: ReadonlySet<string> = new Set(Object.values(separators));
  return [...text].map((character) => (marks.has(character) || character < ' ' ? ' ' : character)).join('');
}

export function splitBy(text: string, separator: string): string[] {
  return separator === '' ? [text] : text.split(separator);
}

export function joinWith(parts: string[], separator: string): string {
  if (separator === '' && parts.length > 1) throw new Hl7Error('The message has no separator for this level (MSH-2)');
  return parts.join(separator);
}

function decodeSequence(code: string, separators: Hl7Separators): string | undefined {
  switch (code) {
    case 'F':
      return separators.field;
    case 'S':
      return separators.component;
    case 'T':
      return separators.subcomponent;
    case 'R':
      return separators.repetition;
    case 'E':
      return separators.escape;
    case '.br':
      return '\n';
    default:
      return isHex(code) ? decodeHex(code.slice(1)) : undefined;
  }
}

/** As long as it likes: what repeats a group in an expression, or takes each byte as an argument, has an end. */
function isHex(code: string): boolean {
  return code.length > 2 && code.length % 2 === 1 && /^X[0-9A-Fa-f]*$/.test(code);
}

function decodeHex(hex: string): string {
  const bytes = hex.match(/../g)!;
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte}`).join(''));
  } catch {
    // Not UTF-8: the bytes of a single-byte character set.
    return bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join('');
  }
}

function controlCode(character: string, controls: boolean): string | undefined {
  if (character >= ' ' || (!controls && character !== '\r' && character !== '\n')) return undefined;
  return `X${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
