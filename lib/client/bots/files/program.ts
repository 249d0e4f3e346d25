import type { VersionSource } from '#lib/protocol/bots/bot-versions.ts';
import {
  isRunnable,
  MOST_CODE_BYTES,
  MOST_FILES,
  MOST_PROGRAM_BYTES,
  toNameProblem,
} from '#lib/protocol/bots/file-names.ts';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import type { Program } from '../release.ts';

/** A bot as it is edited: all of its files, of which `entry` has the handler. */
export type Files = { entry: string; all: readonly BotFile[] };

export function toFiles({ code, filename, files = [] }: Program): Files {
  return { entry: filename, all: [{ filename, content: code }, ...files] };
}

export function ofVersion({ source, filename, files }: Pick<VersionSource, 'source' | 'filename' | 'files'>): Files {
  return toFiles({ code: source, filename, files });
}

/** As the server takes it; one file by itself has no others. */
export function toProgram(files: Files): Program {
  const others = othersOf(files);
  const program = { code: contentOf(files, files.entry) ?? '', filename: files.entry };
  return others.length > 0 ? { ...program, files: others } : program;
}

function othersOf({ entry, all }: Files): BotFile[] {
  return all.filter(({ filename }) => filename !== entry);
}

export function contentOf({ all }: Files, name: string): string | undefined {
  return all.find(({ filename }) => filename === name)?.content;
}

/** Whatever order they stand in. */
export function isSame(a: Files, b: Files): boolean {
  if (a === b) return true;
  if (a.entry !== b.entry || a.all.length !== b.all.length) return false;
  const contents = new Map(b.all.map(({ filename, content }) => [filename, content]));
  return a.all.every(({ filename, content }) => contents.get(filename) === content);
}

/** By which a draft is told from another that is not at hand. */
export function fingerprint({ entry, all }: Files): number {
  const names = all.map(({ filename, content }) => `${filename}\0${content}`).sort();
  let hash = 0x811c9dc5;
  for (const text of [entry, ...names])
    for (let at = 0; at <= text.length; at += 1) hash = Math.imul(hash ^ (text.charCodeAt(at) || 0), 0x01000193);
  return hash >>> 0;
}

export function withContent(files: Files, name: string, content: string): Files {
  if (contentOf(files, name) === content) return files;
  return { ...files, all: files.all.map((file) => (file.filename === name ? { ...file, content } : file)) };
}

export function withFile(files: Files, filename: string): Files {
  return { ...files, all: [...files.all, { filename, content: '' }] };
}

export function withName(files: Files, from: string, to: string): Files {
  const all = files.all.map((file) => (file.filename === from ? { ...file, filename: to } : file));
  return { entry: files.entry === from ? to : files.entry, all };
}

/** One that is left by itself has no folders, as the server has it. */
export function without(files: Files, name: string): Files {
  const all = files.all.filter(({ filename }) => filename !== name);
  const left = { ...files, all };
  return all.length === 1 ? withName(left, files.entry, files.entry.split('/').pop()!) : left;
}

/** Whether the handler may stand in it: a source of one's own. */
export function mayBeEntry(name: string): boolean {
  return isRunnable(name) && !name.split('/').includes('node_modules');
}

/** What is wrong with a name, as the server would say: of a new file, or of `self` in another place. */
export function nameProblem({ entry, all }: Files, name: string, self?: string): string | undefined {
  if (name === '') return 'A file needs a name';
  const problem = toNameProblem(name);
  if (problem) return problem;
  if (name !== self && all.some(({ filename }) => filename === name)) return `${name} is there already`;
  if (self === entry && !mayBeEntry(name))
    return 'The entry point is a source of your own: its name ends in .ts or .js';
  return undefined;
}

/** What the server would refuse, known before anything is sent. */
export function sizeProblem(files: Files): string | undefined {
  const { all, entry } = files;
  if (all.length - 1 > MOST_FILES)
    return `It has ${all.length - 1} files beside its entry point: ${MOST_FILES} at most`;
  if (isLonger([contentOf(files, entry) ?? ''], MOST_CODE_BYTES)) return `${entry} is larger than 1 MiB`;
  if (
    isLonger(
      all.map(({ content }) => content),
      MOST_PROGRAM_BYTES,
    )
  )
    return 'Its files are larger than 5 MiB together';
  return undefined;
}

/** A character has three bytes at most: only near the limit are they counted. */
function isLonger(texts: readonly string[], most: number): boolean {
  if (texts.reduce((sum, { length }) => sum + length, 0) * 3 <= most) return false;
  const encoder = new TextEncoder();
  return texts.reduce((sum, text) => sum + encoder.encode(text).length, 0) > most;
}
