import { z } from 'zod';
import { MOST_FILES, toNameProblem } from './file-names.ts';

/** Of a bot that is many: sources, and packages below `node_modules/`. */
export type BotFile = { filename: string; content: string };

const file = z.strictObject({
  filename: z.string({ error: 'filename is required' }).superRefine((name, ctx) => {
    const problem = toNameProblem(name);
    if (problem) ctx.addIssue({ code: 'custom', message: problem });
  }),
  content: z.string({ error: 'content is required' }),
});

/** Bounded before each is looked at. */
const filesOf = (least: number) =>
  z
    .array(z.unknown(), { error: 'files must be a list' })
    .min(least, 'files has at least one')
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

export const botFiles = filesOf(1);

/** Those beside the handler's: of a draft that had some, and has none any more, too. */
export const draftFiles = filesOf(0);
