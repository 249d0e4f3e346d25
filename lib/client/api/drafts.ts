/**
 * What was begun and not sent, in this tab: it survives a reload, and leaving asks while there is any. Nothing secret goes in. One
 * person's: another one who signs in finds none.
 */
const PREFIX = 'gatehouse:draft:';
const OWNER = 'gatehouse:draft-owner';

const known = new Map<string, unknown>();
const held = new Set<symbol>();
const listeners = new Set<() => void>();

/** Undefined: nothing was begun. The same value as long as nothing is kept in its place. */
export function readDraft<T>(key: string): T | undefined {
  if (!known.has(key)) known.set(key, load(key));
  return known.get(key) as T | undefined;
}

export function keepDraft(key: string, draft: unknown): void {
  known.set(key, draft);
  try {
    if (draft === undefined) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // Full, or switched off: it lasts as long as the page, and leaving asks.
  }
  heed();
  for (const listener of listeners) listener();
}

/** What was sent is no draft any more; what was kept in its place since, is. */
export function spendDraft(key: string, sent: unknown): void {
  if (readDraft(key) === sent) keepDraft(key, undefined);
}

/** What was begun of something that is gone: keys end with its id. */
export function dropDraftsOf(id: string): void {
  const keys = new Set([...known.keys(), ...storedKeys().map((key) => key.slice(PREFIX.length))]);
  for (const key of keys) if (key.endsWith(`:${id}`)) keepDraft(key, undefined);
}

/** The person who works here, by reference. Drafts of anybody else go. */
export function ownDrafts(person: string | undefined): void {
  if (typeof window === 'undefined' || person === undefined) return;
  const before = sessionStorage.getItem(OWNER);
  if (before !== null && before !== person) dropDrafts();
  sessionStorage.setItem(OWNER, person);
  heed();
}

export function dropDrafts(): void {
  for (const key of storedKeys()) sessionStorage.removeItem(key);
  known.clear();
  held.clear();
  heed();
  for (const listener of listeners) listener();
}

/** Leaving asks until it is called: something is typed that may not be kept (a secret). */
export function holdPage(): () => void {
  const hold = Symbol();
  held.add(hold);
  heed();
  return () => {
    held.delete(hold);
    heed();
  };
}

export function onDrafts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function load(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

function storedKeys(): string[] {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
}

/** Asks only while there is something to lose: a page that always asks is not kept for the way back (bfcache). */
function heed(): void {
  const isKept = [...known.values()].some((draft) => draft !== undefined) || held.size > 0 || storedKeys().length > 0;
  if (isKept) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
