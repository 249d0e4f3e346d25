/** Bytes from which a body is large: to parse, judge and store it takes long enough that others notice. */
const LARGE = 1024 * 1024;

/** Large bodies that are read at once, by one process: so many are held in memory at most. The rest waits unread. */
const reading = createPlaces({ most: 64, mostOfAProject: 8 });
/** Those that are worked on at once. A slow sender has none of these. */
const working = createPlaces({ most: 2, mostOfAProject: 1 });

/** Files that come in at once: of each only pieces are in memory. The rest waits unread, and holds up no other body. */
const files = createPlaces({ most: 32, mostOfAProject: 8 });

const owners = new WeakMap<Request, string>();
const known = new WeakSet<Request>();

/** Says whose request it is, before its body is read. */
export function ownedBy(request: Request, project: string): void {
  owners.set(request, project);
  known.add(request);
}

/** Whether it is known whose request it is. */
export function isOwned(request: Request): boolean {
  return known.has(request);
}

/** Of whoever sends to a project without being known there: its body waits behind others like it, and behind no other project's. */
export function sentTo(request: Request, project: string): void {
  owners.set(request, `to ${project}`);
}

/** Resolves when a body of so many bytes may be read on. */
export async function beforeReading(request: Request, bytes: number): Promise<void> {
  if (bytes > LARGE) await reading.take(request);
}

/** Resolves when what was read may be worked on. */
export async function beforeWork(request: Request, bytes: number): Promise<void> {
  if (bytes > LARGE) await working.take(request);
}

/** Resolves when a file of so many bytes may be read. */
export async function beforeFile(request: Request, bytes: number): Promise<void> {
  if (bytes > LARGE) await files.take(request);
}

/** What was read is parsed, and now waits for others (a compiler, runs of bots): it stays in memory, and keeps nobody's work waiting. */
export function endWork(request: Request): void {
  working.leave(request);
}

/** What was read is dealt with, or no longer keeps this process busy. */
export function leavePlaces(request: Request): void {
  working.leave(request);
  reading.leave(request);
  files.leave(request);
}

/** Lets others be answered between two long pieces of work. */
export function breathe(size: number): Promise<void> | undefined {
  return size > LARGE ? new Promise((resolve) => setImmediate(resolve)) : undefined;
}

type Limits = { most: number; mostOfAProject: number };
type Waiting = { request: Request; start: () => void };

/** Of those that wait, the first whose project has not its share. */
function createPlaces({ most, mostOfAProject }: Limits) {
  const taken = new Set<Request>();
  const waiting = new Set<Waiting>();
  return { take, leave };

  async function take(request: Request): Promise<void> {
    if (taken.has(request)) return;
    if (isFree(request)) taken.add(request);
    else await new Promise<void>((start) => waiting.add({ request, start }));
  }

  function leave(request: Request): void {
    if (!taken.delete(request)) return;
    for (const next of waiting) {
      if (!isFree(next.request)) continue;
      waiting.delete(next);
      taken.add(next.request);
      next.start();
    }
  }

  function isFree(request: Request): boolean {
    const project = owners.get(request);
    return taken.size < most && [...taken].filter((each) => owners.get(each) === project).length < mostOfAProject;
  }
}
