/** Of a bot's files, as the server takes them and as the editor says before it sends them. */
export const MOST_FILES = 2000;
/** All of them together. */
export const MOST_PROGRAM_BYTES = 5 * 1024 * 1024;
/** The one with the handler, in a draft. */
export const MOST_CODE_BYTES = 1024 * 1024;
const MOST_CHARACTERS = 256;
const MOST_FOLDERS = 16;

/** What is wrong with the name of a file; undefined for one that means the same file wherever it is read: relative, normal, of printable characters. */
export function toNameProblem(name: string): string | undefined {
  if (name.length > MOST_CHARACTERS) return `A name has at most ${MOST_CHARACTERS} characters`;
  const parts = name.split('/');
  if (parts.length > MOST_FOLDERS) return `A name has at most ${MOST_FOLDERS} parts`;
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'A name is relative, without . and .., with one / between its parts';
  // A colon is the compiler's own.
  if (!/^[^\p{Cc}\p{Zl}\p{Zp}\\:"]+$/u.test(name) || !name.isWellFormed())
    return 'A name has no \\, : or ", and no character that cannot be seen';
  return undefined;
}

export function isPlainPath(path: string): boolean {
  return toNameProblem(path) === undefined;
}

/** Whether the handler may stand in it. */
export function isRunnable(name: string): boolean {
  return /\.(ts|tsx|js|mts|mjs|cts|cjs)$/.test(name);
}
