import { inspect } from 'node:util';

/** A line of a key; others may be anything. */
const KEY_LINE = /^[A-Za-z\d+/=_-]{16,}$/;

/** Of `"` and `'`, as those who write markup have them. */
const QUOTES = [
  ['"', "'"],
  ['&quot;', "'"],
  ['&#34;', "'"],
  ['&quot;', '&apos;'],
  ['&quot;', '&#39;'],
  ['&quot;', '&#039;'],
  ['&quot;', '&#x27;'],
  ['&#34;', '&#39;'],
] as const;

/** As it is, and as JSON, addresses, forms, markup and bytes write it. */
export function writtenForms(value: string): string[] {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  const inAddress = encodeURIComponent(value.toWellFormed());
  const base64 = [0, 1, 2].map((offset) => inBase64(bytes, offset));
  return [
    value,
    // Keys have line ends, and what holds them is often a text in JSON itself.
    inJson(value),
    inJson(inJson(value)),
    inJson(inJson(inJson(value))),
    ...inOtherJson(value),
    ...inAnyCase(inAddress),
    ...inAnyCase(form),
    ...inAddresses(value),
    // As a host name is told, or a header.
    value.toLowerCase(),
    value.toUpperCase(),
    ...inMarkup(value),
    ...inNode(value),
    hex,
    hex.toUpperCase(),
    hex.replaceAll(/..(?=.)/g, '$& '),
    bytes.join(),
    bytes.join(', '),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...linesOf(value),
  ];
}

/** Of a key, whose line ends may be others by the time that it is told, or none: each line of what looks like one. */
function linesOf(value: string): string[] {
  const lines = value.replaceAll(/\\r|\\n/g, '\n').split(/[\r\n]+/);
  return lines.length === 1 ? [] : lines.filter((line) => KEY_LINE.test(line));
}

/** The digits of escapes have no case. */
function inAnyCase(text: string): string[] {
  return [text, text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())];
}

/** As URL writes it in each part of an address, and behind it; not what it leaves of one that leads elsewhere (`..`). */
function inAddresses(value: string): string[] {
  const url = new URL('https://x/');
  url.password = value;
  url.pathname = `/${value}`;
  url.search = `?${value}`;
  url.hash = `#${value}`;
  const parts = [url.pathname, url.search, url.hash].map((part) => part.slice(1));
  const behind = ['https://x/', 'https://x/?'].map((before) => new URL(before + value).href.slice(before.length));
  const least = value.replaceAll(/\s/g, '').length;
  return [url.password, ...parts, ...behind].filter(({ length }) => length >= least);
}

function inMarkup(value: string): string[] {
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return QUOTES.map(([double, single]) => text.replaceAll('"', double).replaceAll("'", single));
}

/** As a log shows texts within values: in the quotes that they have not, and in escaped ones beside all three. */
function inNode(value: string): string[] {
  const show = (text: string) => inspect(text, { breakLength: Number.POSITIVE_INFINITY, maxStringLength: null });
  const others = `'"\`\${`;
  const shownOthers = `\\'"\`\${'`;
  return [show(value).slice(1, -1), show(value + others).slice(1, -shownOthers.length)];
}

/** With `\/`, and with ASCII alone. */
function inOtherJson(value: string): string[] {
  const json = inJson(value);
  return [json, json.replaceAll('/', '\\/')].flatMap((text) => [
    text,
    inAscii(text, (digits) => digits),
    inAscii(text, (digits) => digits.toUpperCase()),
  ]);
}

function inAscii(text: string, cased: (digits: string) => string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${cased(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The characters that are the same whatever stands before it, so many bytes past a multiple of three, and whatever comes behind. */
function inBase64(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
