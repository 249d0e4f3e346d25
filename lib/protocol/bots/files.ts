import { z } from 'zod';

/** Of a bot that is many: sources, and packages below `node_modules/`. */
export type BotFile = { filename: string; content: string };

const MOST_FILES = 2000;
const MOST_CHARACTERS = 256;
const MOST_FOLDERS = 16;

const file = z.strictObject({
  filename: z
    .string({ error: 'filename is required' })
    .max(MOST_CHARACTERS, `filename has at most ${MOST_CHARACTERS} characters`)
    .refine(isPlainPath, 'filename must be a relative path without . and .., with / between its parts'),
  content: z.string({ error: 'content is required' }),
});

/** Bounded before each is looked at. */
export const botFiles = z
  .array(z.unknown(), { error: 'files must be a list' })
  .min(1, 'files has at least one')
  .max(MOST_FILES, `files has at most ${MOST_FILES}`)
  .pipe(z.array(file))
  .superRefine((files, ctx) => {
    const names = new Set<string>();
    for (const [index, { filename }] of files.entries()) {
      if (names.has(filename))
        ctx.addIssue({ code: 'custom', path: [index, 'filename'], message: `${filename} is there twice` });
      names.add(filename);
    }
  });

/** A name that means the same file wherever it is read: relative, normal, of printable characters; a colon is the compiler's own. */
export function isPlainPath(path: string): boolean {
  const parts = path.split('/');
  if (parts.length > MOST_FOLDERS || !/^[^\p{Cc}\p{Zl}\p{Zp}\\:"]+$/u.test(path) || !path.isWellFormed()) return false;
  return parts.every((part) => part !== '' && part !== '.' && part !== '..');
}
