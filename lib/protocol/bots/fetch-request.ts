/** What a bot asked `fetch` for, as it arrives from its context: untrusted. */
export type FetchRequest = {
  method: string;
  url: URL;
  /** Names in lower case; a name may repeat. */
  headers: [string, string][];
  body?: string | Uint8Array;
  redirect: 'follow' | 'error' | 'manual';
};

const MOST_HEADERS = 100;
const MOST_HEADER_CHARACTERS = 32 * 1024;
const MOST_BODY_BYTES = 4 * 1024 * 1024;
const MOST_URL_CHARACTERS = 16 * 1024;
/** RFC 9110 §5.6.2. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,200}$/;
/** RFC 9110 §5.5: Latin-1 without control characters. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const NO_METHODS: readonly string[] = ['CONNECT', 'TRACE', 'TRACK'];
/** As fetch has it: what servers make of one is for each to say (RFC 9110 §9.3.1). */
const NO_BODIES: readonly string[] = ['GET', 'HEAD'];
/** Of the connection, and said by it: what a bot says of these is left out. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const DEFAULTS: [string, string][] = [
  ['accept', '*/*'],
  ['accept-encoding', 'gzip, deflate, br'],
  ['user-agent', 'gatehouse-bot'],
];

export function readFetchRequest(asked: unknown): FetchRequest | { fault: string } {
  const { method, url: address, headers, text, base64, redirect } = (asked ?? {}) as Record<string, unknown>;
  if (typeof method !== 'string' || !TOKEN.test(method) || NO_METHODS.includes(method.toUpperCase()))
    return { fault: 'this method cannot be sent' };
  if (typeof address !== 'string' || address.length > MOST_URL_CHARACTERS)
    return { fault: `the address has more than ${MOST_URL_CHARACTERS} characters` };
  const url = URL.parse(address);
  if (!url) return { fault: 'the address is no URL' };
  if (redirect !== 'follow' && redirect !== 'error' && redirect !== 'manual')
    return { fault: 'redirect is follow, error or manual' };
  const sent = readHeaders(headers);
  if (!sent) return { fault: `headers are at most ${MOST_HEADERS} pairs, and 32 KiB, of names and Latin-1 values` };
  const body = readBody(text, base64);
  if (body !== undefined && NO_BODIES.includes(method.toUpperCase())) return { fault: `${method} has no body` };
  if (body && Buffer.byteLength(body) > MOST_BODY_BYTES) return { fault: 'the body is larger than 4 MiB' };
  return { method, url, redirect, headers: withDefaults(sent), ...(body !== undefined && { body }) };
}

function readHeaders(headers: unknown): [string, string][] | undefined {
  if (!Array.isArray(headers) || headers.length > MOST_HEADERS) return undefined;
  let characters = 0;
  const read: [string, string][] = [];
  for (const pair of headers as unknown[]) {
    const [name, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof name !== 'string' || typeof value !== 'string' || !TOKEN.test(name) || !VALUE.test(value))
      return undefined;
    characters += name.length + value.length;
    if (characters > MOST_HEADER_CHARACTERS) return undefined;
    const lower = name.toLowerCase();
    if (!OF_CONNECTION.has(lower)) read.push([lower, value]);
  }
  return read;
}

function withDefaults(headers: [string, string][]): [string, string][] {
  const given = new Set(headers.map(([name]) => name));
  return [...headers, ...DEFAULTS.filter(([name]) => !given.has(name))];
}

function readBody(text: unknown, base64: unknown): string | Uint8Array | undefined {
  if (typeof text === 'string') return text;
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined;
}
