import type { Grammar } from '../structures.ts';

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
/** RFC 6838 §4.2, with parameters as in RFC 9110 §8.3.1. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:\\s?;\\s?${TOKEN}=(?:${TOKEN}|"[^"\\\\]*"))*;?$`);
/** What R4 calls formats for short (http §3.1.0.1.11). */
const SHORT_FORMATS = new Set(['xml', 'json', 'ttl', 'none']);
const currencies = new Set(Intl.supportedValuesOf('currency'));

/** What a code must be, as a phrase; undefined when it is. */
export function grammarFault(grammar: Grammar, code: string): string | undefined {
  if (grammar === 'currencies') return currencies.has(code) ? undefined : 'must be a currency code (ISO 4217)';
  if (grammar === 'formats' && SHORT_FORMATS.has(code)) return undefined;
  return MEDIA_TYPE.test(code) ? undefined : 'must be a media type (BCP 13), like image/png';
}
