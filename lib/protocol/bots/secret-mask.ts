import { AppError } from '#lib/base/errors.ts';
import { takeTurns } from '#lib/base/turns.ts';
import type { ProjectSetting } from '../fhir/types.ts';
import { parseInTurns } from '../json/parse-in-turns.ts';

/** `json`: the text stays JSON. `cut`: it may have been cut off in the middle of a secret. */
export type MaskOptions = { json?: boolean; cut?: boolean };
/** The text with `[secret NAME]` in place of each secret. Others come first every now and then. */
export type Mask = (text: string, options?: MaskOptions) => Promise<string>;

type Form = { text: string; name: string };

/** Shorter ones are not looked for: they stand in texts that have nothing to do with them. */
const SHORTEST = 6;
/** Whoever has told so much of a secret has told it. */
const LONGEST = 64;
/** Of a secret that was cut off. */
const SHORTEST_CUT = 8;
/** Of one text that is made to look like secrets everywhere. */
const MOST_TRIES = 2_000_000;
const BASE = 257;
const POWER = Array.from({ length: SHORTEST - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);
const CHUNK = 64 * 1024;
/** What is longer is parsed in turns. */
const LONG = 256 * 1024;

/** What is told in place of a text that could not be looked through, or that is no JSON any more without its secrets. */
export const WITHHELD = '[secret]';

/**
 * Finds these secrets in what a bot says: as they are, and as JSON, URLs, forms, base64 (wherever in it they begin) and hex write them. One
 * pass over the text, however many there are. Undefined where there is nothing to look for.
 */
export function createMask(secrets: readonly ProjectSetting[]): Mask | undefined {
  const forms = secrets.flatMap(toForms);
  if (forms.length === 0) return undefined;
  const byStart = Map.groupBy(forms, ({ text }) => text.slice(0, SHORTEST));
  for (const group of byStart.values()) group.sort((a, b) => b.text.length - a.text.length);
  const starts = new Uint8Array(1 << 16);
  for (const start of byStart.keys()) starts[slotOf(hashAt(start, 0))] = 1;

  return async (text, { json = false, cut = false } = {}) => {
    const masked = await mask(text, cut);
    return json && masked !== text && !(await isJson(masked)) ? JSON.stringify(WITHHELD) : masked;
  };

  async function mask(text: string, cut: boolean): Promise<string> {
    if (text.length < SHORTEST) return text;
    const turn = takeTurns();
    const parts: string[] = [];
    let told = 0;
    let tries = 0;
    let at = 0;
    let nextTurn = CHUNK;
    let hash = hashAt(text, 0);
    const last = text.length - SHORTEST;
    while (at <= last) {
      if (at >= nextTurn) {
        nextTurn = at + CHUNK;
        await turn();
      }
      if (starts[slotOf(hash)] === 1) {
        const group = byStart.get(text.slice(at, at + SHORTEST)) ?? [];
        tries += group.length;
        if (tries > MOST_TRIES) return WITHHELD;
        const found = group.find((form) => isAt(form.text, text, at, cut));
        if (found) {
          parts.push(text.slice(told, at), `[secret ${found.name}]`);
          told = at + commonLength(found.text, text, at);
          at = told;
          if (at <= last) hash = hashAt(text, at);
          continue;
        }
      }
      hash = (Math.imul(hash - Math.imul(text.charCodeAt(at), POWER), BASE) + text.charCodeAt(at + SHORTEST)) | 0;
      at += 1;
    }
    if (parts.length === 0) return text;
    parts.push(text.slice(told));
    return parts.join('');
  }
}

function isAt(form: string, text: string, at: number, cut: boolean): boolean {
  const most = Math.min(form.length, LONGEST);
  if (text.length - at >= most) return text.startsWith(form.slice(0, most), at);
  return cut && text.length - at >= SHORTEST_CUT && form.startsWith(text.slice(at));
}

function commonLength(form: string, text: string, at: number): number {
  let length = SHORTEST;
  while (length < form.length && form.charCodeAt(length) === text.charCodeAt(at + length)) length += 1;
  return length;
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let place = at; place < at + SHORTEST; place++) hash = (Math.imul(hash, BASE) + text.charCodeAt(place)) | 0;
  return hash;
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & 0xffff;
}

async function isJson(text: string): Promise<boolean> {
  try {
    if (text.length > LONG) await parseInTurns(text);
    else JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof AppError) return false;
    throw error;
  }
}

function toForms({ name, valueString, valueDecimal, valueInteger }: ProjectSetting): Form[] {
  const value = valueString ?? String(valueDecimal ?? valueInteger ?? '');
  if (value.length < SHORTEST) return [];
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  const inAddress = encodeURIComponent(value.toWellFormed());
  const base64 = [0, 1, 2].map((offset) => inBase64(bytes, offset));
  const texts = [
    value,
    // Keys have line ends, and what holds them is often a text in JSON itself.
    inJson(value),
    inJson(inJson(value)),
    inJson(inJson(inJson(value))),
    ...inAnyCase(inAddress),
    ...inAnyCase(form),
    // As a host name is told, or a header.
    value.toLowerCase(),
    value.toUpperCase(),
    inMarkup(value),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(texts)].filter((text) => text.length >= SHORTEST).map((text) => ({ text, name }));
}

/** The digits of escapes have no case. */
function inAnyCase(text: string): string[] {
  return [text, text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())];
}

function inMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The characters that are the same whatever stands before it, so many bytes past a multiple of three, and whatever comes behind. */
function inBase64(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
