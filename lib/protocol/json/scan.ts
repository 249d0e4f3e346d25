import { AppError } from '#lib/base/errors.ts';

const MAX_DEPTH = 100;
/** Of one number, and of the white space of who indents. */
const MAX_GAP = 10_000;
/** Of one object: those that anybody has a use for have a few thousand at most, and each costs more than a value does. */
const MAX_KEYS = 50_000;
const SIGNIFICANT = /["[\]{},]/g;
/** Characters, behind which calling the engine's search costs less than looking. */
const NEAR = 8;
/** Keys of one object, above which looking each of them up costs less than comparing with all. */
const FEW_KEYS = 8;

/** A list that stands in the object which is all of the text: where it is, and where it can be cut between two of its items. */
export type List = { key: string; start: number; end: number; cuts: number[] };

export type ScanOptions = {
  /** Values in all, as refuseManyValues counts them. Throws 400 for more. */
  most?: number;
  /** Told of each item of a list that has more. */
  ofEach?: { most: number; seen: (key: string, at: number) => void };
  /** Characters between two cuts, at least. */
  piece?: number;
};

export type Scan = {
  /** For so many steps. Whether there is more. */
  goOn(steps: number): boolean;
  lists: readonly List[];
};

/** Of an object that is open: `all` where they are more than a few. */
type Keys = { few: string[]; all: Set<string> | undefined };

type Item = { list: List; count: number; before: number };

/**
 * One pass over the text, valid or not: JSON.parse itself would keep the last of two equal keys and recurse without end. Throws AppError
 * structure (400) for those, for too many keys and for what reaches for prototypes.
 */
export function openScan(text: string, options: ScanOptions = {}): Scan {
  const { most = Number.POSITIVE_INFINITY, ofEach, piece = text.length } = options;
  const levels: (Keys | undefined)[] = [];
  const lists: List[] = [];
  let [index, values, key] = [0, 0, ''];
  let item: Item | undefined;
  return { goOn, lists };

  function goOn(steps: number): boolean {
    for (let left = steps; index < text.length && left > 0; left -= 1) step();
    return index < text.length;
  }

  function step(): void {
    index = nextSignificant(text, index);
    const char = text.charCodeAt(index);
    if (char === 0x7b || char === 0x5b) open(char === 0x7b);
    else if (char === 0x7d || char === 0x5d) close(char === 0x5d);
    else if (char === 0x2c) comma();
    index = char === 0x22 ? readString() : index + 1;
  }

  /** The index after it. */
  function readString(): number {
    const end = endOfString(text, index);
    const next = skipSpace(text, end);
    if (text.charCodeAt(next) === 0x3a) {
      const found = checkKey(text, index, end, next + 1, levels.at(-1));
      if (levels.length === 1) key = found;
      count();
    }
    return end;
  }

  function open(isObject: boolean): void {
    levels.push(isObject ? { few: [], all: undefined } : undefined);
    if (levels.length > MAX_DEPTH) throw unparsable(`it is nested more than ${MAX_DEPTH} levels deep`);
    if (isObject || levels.length !== 2 || !levels[0]) return;
    const list = { key, start: index + 1, end: -1, cuts: [] };
    lists.push(list);
    item = { list, count: 0, before: values };
  }

  function close(isList: boolean): void {
    if (item && levels.length === 2) {
      tellOfItem();
      // What is closed by the other bracket is no JSON, and no list.
      if (isList) item.list.end = index;
      item = undefined;
    }
    levels.pop();
  }

  function comma(): void {
    const isBetween = item && levels.length === 2;
    if (isBetween) tellOfItem();
    count();
    if (!item || !isBetween) return;
    item.count += 1;
    item.before = values;
    const { cuts, start } = item.list;
    if (index - (cuts.at(-1) ?? start) >= piece) cuts.push(index);
  }

  function count(): void {
    values += 1;
    if (values > most) throw new AppError('too-costly', `The body has more than ${most} values`);
  }

  function tellOfItem(): void {
    if (item && ofEach && values - item.before > ofEach.most) ofEach.seen(item.list.key, item.count);
  }
}

/** What is near is looked at here, the rest by the engine's own search, as far as there is something to find. Throws where there is nothing for long. */
function nextSignificant(text: string, start: number): number {
  const near = Math.min(start + NEAR, text.length);
  for (let index = start; index < near; index += 1) if (isSignificant(text.charCodeAt(index))) return index;
  SIGNIFICANT.lastIndex = near;
  const next = SIGNIFICANT.test(text) ? SIGNIFICANT.lastIndex - 1 : text.length;
  if (next - start > MAX_GAP) throw unparsable(`it has a number, or white space, of more than ${MAX_GAP} characters`);
  return next;
}

function isSignificant(char: number): boolean {
  return char === 0x22 || char === 0x2c || char === 0x7b || char === 0x7d || char === 0x5b || char === 0x5d;
}

/** Index after the closing quote of the text that begins at `start`. By the engine's own search, until a quote is escaped: texts may be millions long. */
export function endOfString(text: string, start: number): number {
  const first = text.indexOf('"', start + 1);
  if (first < 0) return text.length;
  if (!isEscaped(text, first)) return first + 1;
  for (let index = first + 1; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char === 0x5c) index += 1;
    else if (char === 0x22) return index + 1;
  }
  return text.length;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === 0x5c) first -= 1;
  return (at - first) % 2 === 1;
}

function skipSpace(text: string, start: number): number {
  let index = start;
  while (index < text.length && text.charCodeAt(index) <= 0x20) index += 1;
  return index;
}

function checkKey(text: string, start: number, end: number, valueStart: number, seen: Keys | undefined): string {
  const written = text.slice(start + 1, end - 1);
  const key = written.includes('\\') ? String(JSON.parse(text.slice(start, end))) : written;
  if (key === '__proto__' || (key === 'constructor' && text.charCodeAt(skipSpace(text, valueStart)) === 0x7b))
    throw unparsable(`the key ${key} is not allowed`);
  if (seen && !isNew(seen, key)) throw unparsable(`the key ${key.slice(0, 80)} stands twice in one object`);
  if (seen?.all && seen.all.size > MAX_KEYS) throw unparsable(`an object has more than ${MAX_KEYS} members`);
  return key;
}

function isNew(seen: Keys, key: string): boolean {
  if (seen.all) {
    const { size } = seen.all;
    return seen.all.add(key).size > size;
  }
  if (seen.few.includes(key)) return false;
  if (seen.few.push(key) > FEW_KEYS) seen.all = new Set(seen.few);
  return true;
}

export function unparsable(reason: string, cause?: unknown): AppError {
  return new AppError('structure', `Content could not be parsed: ${reason}`, { cause });
}
