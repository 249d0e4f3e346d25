type Value = string | number | bigint | boolean | null | undefined;
type Query = Record<string, Value | readonly Value[]>;
type StringifyOptions = { encodeURIComponent?: (text: string) => string };
type ParseOptions = { decodeURIComponent?: (text: string) => string; maxKeys?: number };

/** https://nodejs.org/api/querystring.html */
export function parse(
  text: string,
  between?: string | null,
  sign?: string | null,
  options: ParseOptions = {},
): Record<string, string | string[]> {
  const [separator, equals] = [between || '&', sign || '='];
  const { decodeURIComponent: decode = unquote, maxKeys = 1000 } = options;
  const query: Record<string, string | string[]> = Object.create(null);
  const parts = String(text ?? '')
    .split(separator)
    .filter(Boolean);
  for (const part of maxKeys > 0 ? parts.slice(0, maxKeys) : parts) {
    const at = part.indexOf(equals);
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + equals.length)];
    const key = decode(name.replaceAll('+', ' '));
    const read = decode(value.replaceAll('+', ' '));
    const before = query[key];
    query[key] = before === undefined ? read : [before, read].flat();
  }
  return query;
}

export function stringify(
  query: Query | null | undefined,
  between?: string | null,
  sign?: string | null,
  { encodeURIComponent: encode = quote }: StringifyOptions = {},
): string {
  const [separator, equals] = [between || '&', sign || '='];
  return Object.entries(typeof query === 'object' && query !== null ? query : {})
    .flatMap(([name, value]) => {
      const values = Array.isArray(value) ? value : [value];
      return values.map((item) => `${encode(name)}${equals}${encode(plain(item))}`);
    })
    .join(separator);
}

function quote(text: unknown): string {
  return encodeURIComponent(String(text)).replace(/%(?:27|28|29|2A|21|7E)/g, decodeURIComponent);
}

function unquote(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // What is sound in it is read.
    return text.replace(/(?:%[\da-f]{2})+/gi, (part) => Buffer.from(part.replaceAll('%', ''), 'hex').toString());
  }
}

function plain(value: Value): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return '';
  return typeof value === 'object' || value === undefined || typeof value === 'symbol' ? '' : String(value);
}

export { parse as decode, quote as escape, stringify as encode, unquote as unescape };
