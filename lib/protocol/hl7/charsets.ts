/** HL7 table 0211 names (MSH-18) that differ from the Encoding Standard's labels. */
const NAMES: Record<string, string> = {
  ASCII: 'utf-8',
  'ISO IR6': 'utf-8',
  '8859/1': 'iso-8859-1',
  '8859/2': 'iso-8859-2',
  '8859/3': 'iso-8859-3',
  '8859/4': 'iso-8859-4',
  '8859/5': 'iso-8859-5',
  '8859/6': 'iso-8859-6',
  '8859/7': 'iso-8859-7',
  '8859/8': 'iso-8859-8',
  '8859/9': 'iso-8859-9',
  '8859/15': 'iso-8859-15',
  UNICODE: 'utf-8',
  'UNICODE UTF-8': 'utf-8',
  'UNICODE UTF-16': 'utf-16le',
  'GB 18030-2000': 'gb18030',
  'BIG-5': 'big5',
  'KS X 1001': 'euc-kr',
  'ISO IR87': 'iso-2022-jp',
};

const HEADER_BYTES = 4096;

/**
 * MSH-18 of a text that starts with a message: the first of its repetitions; the second where the first is ASCII or left out, as in Japan, if it is known here and has
 * ASCII in it, or escapes (`isEscaped`) to what nobody could read.
 */
export function declaredCharset(text: string, isEscaped: boolean): string | undefined {
  const header = /MSH(.)[^\r\n]*/.exec(text.slice(0, HEADER_BYTES));
  if (!header) return undefined;
  const [, separator = '|'] = header;
  const [first = '', second = ''] = (header[0].split(separator)[17] ?? '')
    .split('~')
    .map((name) => name.split('^')[0]!.trim());
  const isAscii = /^(?:ASCII|ISO IR6)?$/i.test(first);
  return (isAscii && (hasAscii(second) || isEscaped) && second) || first || undefined;
}

function hasAscii(name: string): boolean {
  const label = charsetLabel(name);
  return name !== '' && !label.startsWith('utf-16') && decoderOf(label) !== undefined;
}

/** The label by which the Encoding Standard knows a character set of MSH-18 or of a media type; what it does not know stays. */
export function charsetLabel(name: string): string {
  return NAMES[name.toUpperCase()] ?? name.toLowerCase();
}

/**
 * The decoder of a label; undefined for an unknown one. By the Encoding Standard iso-8859-1 is windows-1252: what senders of 0x80 to
 * 0x9F mean, and every byte has a character of its own, so it comes back as it was.
 */
export function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true });
  } catch {
    return undefined;
  }
}
