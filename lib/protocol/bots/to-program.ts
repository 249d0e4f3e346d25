import { AppError } from '#lib/base/errors.ts';
import { isPlainPath } from './file-names.ts';
import type { BotFile } from './files.ts';

/** What is compiled: the file that has the handler, and the others, where there are some. */
export type BotProgram = { source: string; filename: string; files?: BotFile[] };

type Given = { code?: string; filename?: string; files?: BotFile[] };

/** Where a handler is looked for, when nobody says where it is. */
const OBVIOUS = ['index.ts', 'index.js', 'src/index.ts', 'src/index.js'];

/**
 * Of `code` alone, as ever: its name without folders. With `files` the handler stands in `code`, which is called `filename`, or in the one
 * of them that has this name; without it in the obvious one. Undefined without both; throws 400 for files among which it cannot be told.
 */
export function toProgram({ code, filename, files }: Given): BotProgram | undefined {
  if (!files)
    return code === undefined ? undefined : { source: code, filename: filename?.split('/').pop() ?? 'index.ts' };
  if (filename !== undefined && !isPlainPath(filename))
    throw wrong('filename must be a relative path without . and ..');
  if (code === undefined) return ofFiles(files, filename);
  const name = filename ?? 'index.ts';
  if (files.some((file) => file.filename === name)) throw wrong(`${name} is there twice: as code and among the files`);
  return { source: code, filename: name, files };
}

const CODE = /\.[cm]?[jt]sx?$/;

/** What its author wrote: all sources but those of packages. */
export function ownSources({ source, files = [] }: Pick<BotProgram, 'source' | 'files'>): string[] {
  const own = files.filter(({ filename }) => CODE.test(filename) && !filename.split('/').includes('node_modules'));
  return [source, ...own.map(({ content }) => content)];
}

function ofFiles(files: BotFile[], filename: string | undefined): BotProgram {
  const names = filename === undefined ? OBVIOUS : [filename];
  const entry = names.map((name) => files.find((file) => file.filename === name)).find((file) => file !== undefined);
  if (entry) return { source: entry.content, filename: entry.filename, files: files.filter((file) => file !== entry) };
  throw wrong(
    filename === undefined
      ? `Which of the files has the handler? Name it, or call it ${OBVIOUS.join(', ')}`
      : `${filename} is not among the files`,
  );
}

function wrong(text: string): AppError {
  return new AppError('invalid', text, { expression: 'filename' });
}
