import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';

export type Journal = {
  /** Keeps a line until what it returns is called; undefined where that is not possible. Takes microseconds, and wakes nobody. */
  keep(line: string): (() => void) | undefined;
  close(): void;
};

/** Lines that a process which is gone has kept. */
export type Left = { lines: string[]; forget(): void };

/** A file to which lines are added, and which is empty again once none of them is needed. */
type Page = { file: string; fd: number; bytes: number; held: number };

/** Memory that outlives the process, and no disk (tmpfs). */
const MEMORY = '/dev/shm';
/** Of each of two pages. A container has 64 MiB of it unless told otherwise, and PostgreSQL may want them. */
const MOST_BYTES = 2 * 1024 * 1024;
/** Fields of /proc/pid/stat behind the name, which may hold anything: proc(5) counts it as the 22nd of all. */
const START_TIME = 19;
const STILL_MS = 600_000;
/** What nobody with its database has taken up for so long nobody will. */
const LONGEST_MS = 7 * 86_400_000;

/**
 * Lines that a killed process leaves to the next one on its machine, with this database, by default ours (findLeft): for what is about to be in the
 * database, so that nobody has to wait until it is. A machine that falls takes them along.
 */
export function openJournal(database?: string): Journal {
  let pages: [Page, Page] | undefined;
  let isClosed = false;
  return { keep, close };

  function keep(line: string): (() => void) | undefined {
    if (isClosed) return undefined;
    pages ??= open();
    if (!pages) return undefined;
    // Whichever is empty: so each comes to its end, however much is kept all the time.
    if (pages[0].held > 0 && pages[1].held === 0) pages.reverse();
    return add(pages[0], line);
  }

  function open(): [Page, Page] | undefined {
    const opened = openPages(nameOf(database));
    if (opened) process.once('exit', close);
    else isClosed = true;
    return opened;
  }

  /** What is needed still stays. */
  function close(): void {
    isClosed = true;
    for (const { fd, file, held } of pages ?? []) {
      closeSync(fd);
      if (held === 0) drop(file);
    }
    pages = undefined;
  }
}

/** What processes that are gone have kept and not seen through. */
export function findLeft(database?: string): Left[] {
  const folder = openFolder();
  if (!folder) return [];
  const own = `${nameOf(database)}.`;
  const left = readdirSync(folder).map((name) => ({ name, file: join(folder, name) }));
  return left.filter(isOfNobody).flatMap(({ name, file }) => {
    const forget = () => drop(file);
    const lines = name.startsWith(own) ? linesOf(file) : [];
    if (lines.length > 0) return [{ lines, forget }];
    // Whichever database it was for.
    if (isOver(file)) forget();
    return [];
  });
}

function add(page: Page, line: string): (() => void) | undefined {
  const bytes = Buffer.from(`${line}\n`);
  if (page.bytes + bytes.length > MOST_BYTES || !isWritten(page, bytes)) return undefined;
  page.bytes += bytes.length;
  page.held += 1;
  return () => {
    page.held -= 1;
    if (page.held > 0 || page.bytes === 0) return;
    page.bytes = 0;
    cut(page);
  };
}

function isWritten(page: Page, bytes: Buffer): boolean {
  try {
    if (writeSync(page.fd, bytes) === bytes.length) return true;
  } catch (error) {
    log.debug({ err: error }, 'there is no room for what is to outlive this process');
  }
  cut(page);
  return false;
}

function cut({ fd, bytes }: Page): void {
  try {
    ftruncateSync(fd, bytes);
  } catch {
    // It was closed meanwhile.
  }
}

function openPages(of: string): [Page, Page] | undefined {
  const folder = openFolder();
  const started = startOf(process.pid);
  const own = randomBytes(4).toString('hex');
  if (!folder || !started) return undefined;
  try {
    const [one, other] = ['a', 'b'].map((name) => {
      const file = join(folder, `${of}.${processes()}.${process.pid}.${started}.${own}.${name}`);
      const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_APPEND;
      return { file, fd: openSync(file, flags | constants.O_NOFOLLOW, 0o600), bytes: 0, held: 0 };
    });
    return [one!, other!];
  } catch (error) {
    log.warn({ err: error }, 'nothing outlives this process');
    return undefined;
  }
}

/** Undefined where it is not ours alone: anybody may make folders there. */
function openFolder(): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  const folder = join(MEMORY, `gatehouse-${user}`);
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** The same when its password is another. */
function nameOf(database = env().DATABASE_URL): string {
  const { host, pathname } = URL.canParse(database) ? new URL(database) : { host: '', pathname: database };
  return createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 16);
}

/** Of another container's processes nobody here knows whether they live: what has stood still for long is not needed there. */
function isOfNobody({ name, file }: { name: string; file: string }): boolean {
  const [, among, pid, started] = name.split('.');
  if (among === processes()) return startOf(Number(pid)) !== started;
  const found = lookAt(file);
  return found !== undefined && found.size > 0 && Date.now() - found.mtimeMs > STILL_MS;
}

function isOver(file: string): boolean {
  const found = lookAt(file);
  return found !== undefined && (found.size === 0 || Date.now() - found.mtimeMs > LONGEST_MS);
}

/** Those among which a number means one process. */
function processes(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
}

function lookAt(file: string): Stats | undefined {
  return lstatSync(file, { throwIfNoEntry: false });
}

/** When it began, as the kernel counts: another process may have its number by now. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME];
  } catch {
    return undefined;
  }
}

/** Who was killed while it wrote has left half a line at the end. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}

function drop(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process that has begun in the same moment has seen it through.
  }
}
