type Value = string | number | bigint | boolean | null | undefined;
type Query = Record<string, Value | readonly Value[]>;
type ParseOptions = { decodeURIComponent?: (text: string) => string; maxKeys?: number };

/** https://nodejs.org/api/querystring.html */
export function parse(
  text: string,
  separator = '&',
  equals = '=',
  options: ParseOptions = {},
): Record<string, string | string[]> {
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

export function stringify(query: Query | null | undefined, separator = '&', equals = '='): string {
  return Object.entries(query ?? {})
    .flatMap(([name, value]) => {
      const values = Array.isArray(value) ? value : [value];
      return values.map((item) => `${quote(name)}${equals}${quote(plain(item))}`);
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
    return text;
  }
}

function plain(value: Value): string {
  return typeof value === 'object' || value === undefined || typeof value === 'symbol' ? '' : String(value);
}

export { parse as decode, quote as escape, stringify as encode, unquote as unescape };
