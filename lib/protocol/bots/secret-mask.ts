import { AppError } from '#lib/base/errors.ts';
import { mapInTurns, takeTurns } from '#lib/base/turns.ts';
import type { ProjectSetting } from '../fhir/types.ts';
import { parseInTurns } from '../json/parse-in-turns.ts';
import { writtenForms } from './secret-mask-forms.ts';

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
/** What says that a text was cut there (lib/infra/sandbox: runner/run-log.ts, inside/describe-error.ts), and what is left of half a character. */
const MARKS = ['… (log cut at 64 KiB)', '…'];
const HALF = /^[\uD800-\uDBFF\uFFFD]$/;
/** Of one text that is made to look like secrets everywhere: lookups, one for each length that a secret which begins so may have. */
const MOST_TRIES = 2_000_000;
/** Characters and lookups between two turns of others, of whatever texts. */
const STEPS = 20_000;
const BASE = 257;
const POWER = Array.from({ length: SHORTEST - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);
/** What is longer is parsed in turns. */
const LONG = 256 * 1024;

/** What is told in place of a text that could not be looked through, or that is no JSON any more without its secrets. */
export const WITHHELD = '[secret]';

/**
 * Finds these secrets in what a bot says: as they are, and as JSON, URLs, forms, markup, base64 (wherever in it they begin) and hex write them; of those with several
 * lines, as keys are, each line. One pass over the text, however many there are. Undefined where there is nothing to look for.
 */
export function createMask(secrets: readonly ProjectSetting[]): Mask | undefined {
  const looked = secrets.filter((secret) => textOf(secret).length >= SHORTEST);
  if (looked.length === 0) return undefined;
  const turn = takeTurns();
  // Of many long ones it takes a while, and nothing may have been said yet in which to look for them.
  let table: Table | Promise<Table> | undefined;
  let steps = 0;

  return async (text, { json = false, cut = false } = {}) => {
    table ??= toTable(looked).then((made) => (table = made));
    const masked = await mask(text, table instanceof Promise ? await table : table, cut);
    return json && masked !== text && !(await isJson(masked)) ? JSON.stringify(WITHHELD) : masked;
  };

  async function mask(text: string, { groups, starts }: Table, cut: boolean): Promise<string> {
    if (text.length < SHORTEST) return text;
    const parts: string[] = [];
    let told = 0;
    let tries = 0;
    let at = 0;
    let hash = hashAt(text, 0);
    const last = text.length - SHORTEST;
    const end = cut ? endOf(text) : 0;
    while (at <= last) {
      steps += 1;
      if (steps >= STEPS) {
        steps = 0;
        await turn();
      }
      const group = starts[slotOf(hash)] === 1 ? groups.get(text.slice(at, at + SHORTEST)) : undefined;
      if (group) {
        tries += group.lengths.length;
        steps += group.lengths.length;
        if (tries > MOST_TRIES) return WITHHELD;
        const found = findAt(group, text, at, end);
        if (found) {
          parts.push(text.slice(told, at), `[secret ${found.form.name}]`);
          told = at + found.length;
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

/** Forms that begin alike: by their heads, the lengths of these from the longest on, and the heads in order. */
type Group = { byHead: Map<string, Form[]>; lengths: number[]; heads: string[] };

/** By how they begin; and the hashes of that. */
type Table = { groups: Map<string, Group>; starts: Uint8Array };

async function toTable(secrets: readonly ProjectSetting[]): Promise<Table> {
  const forms = (await mapInTurns(secrets, toForms)).flat();
  const groups = new Map([...Map.groupBy(forms, startOf)].map(([start, group]) => [start, toGroup(group)]));
  const starts = new Uint8Array(1 << 16);
  for (const start of groups.keys()) starts[slotOf(hashAt(start, 0))] = 1;
  return { groups, starts };
}

const startOf = ({ text }: Form) => text.slice(0, SHORTEST);
const headOf = ({ text }: Form) => text.slice(0, LONGEST);

function toGroup(forms: readonly Form[]): Group {
  const byHead = Map.groupBy(forms, headOf);
  const heads = [...byHead.keys()].sort();
  return { byHead, heads, lengths: [...new Set(heads.map(({ length }) => length))].sort((a, b) => b - a) };
}

/** `end`: where the text was cut; 0 where it was not. */
function findAt({ byHead, lengths, heads }: Group, text: string, at: number, end: number): Found | undefined {
  // All of it that is told, and so no less than of another with which it begins.
  if (end - at >= SHORTEST_CUT && end - at < LONGEST) {
    const begun = text.slice(at, end);
    const head = heads[firstNotBefore(heads, begun)];
    if (head?.startsWith(begun)) return { form: byHead.get(head)![0]!, length: end - at };
  }
  for (const length of lengths) {
    const forms = length <= text.length - at ? byHead.get(text.slice(at, at + length)) : undefined;
    if (forms) return longestOf(forms, text, at);
  }
  return undefined;
}

function endOf(text: string): number {
  const mark = MARKS.find((one) => text.endsWith(one)) ?? '';
  const end = text.length - mark.length;
  return HALF.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** `length`: of what is told of it. */
type Found = { form: Form; length: number };

/** Of those with one head, as base64 has it in two alphabets, the one of which most is told. */
function longestOf(forms: readonly Form[], text: string, at: number): Found {
  const [first, ...others] = forms.map((form) => ({ form, length: commonLength(form.text, text, at) }));
  return others.reduce((longest, one) => (one.length > longest.length ? one : longest), first!);
}

/** Where it would stand in what is in order. */
function firstNotBefore(ordered: readonly string[], text: string): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ordered[middle]! < text) from = middle + 1;
    else to = middle;
  }
  return from;
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

function textOf({ valueString, valueDecimal, valueInteger }: ProjectSetting): string {
  return valueString ?? String(valueDecimal ?? valueInteger ?? '');
}

/** Of what ends with a line end a bot tells the rest. */
function toForms(secret: ProjectSetting): Form[] {
  const { name } = secret;
  const value = textOf(secret);
  const texts = new Set([value, value.trim()]);
  const forms = [...texts].filter((text) => text.length >= SHORTEST).flatMap(writtenForms);
  return [...new Set(forms)].filter((text) => text.length >= SHORTEST).map((text) => ({ text, name }));
}
