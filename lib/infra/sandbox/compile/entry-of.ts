import type { BotProgram } from '#lib/protocol/bots/to-program.ts';

/** What the file that has the handler is called: one by itself has no folders. */
export function entryOf({ filename, files }: BotProgram): string {
  return files ? filename : filename.split('/').pop() || 'index.ts';
}
