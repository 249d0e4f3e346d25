import { env } from '#lib/base/env.ts';
import type { BotProgram } from '#lib/protocol/bots/to-program.ts';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import type { BundleResult } from './bundle-result.ts';
import { type Compilers, createCompilers } from './compilers.ts';
import { entryOf } from './entry-of.ts';

const TOO_LONG = 'The compiler takes too long for this source: it has too many imports, or is too large';
const TOO_DEEP = 'The compiler cannot get through this source: it is nested too deeply, or too large';
const STOPPED = { 'too-long': TOO_LONG, 'too-large': TOO_DEEP, lost: TOO_DEEP } as const;

let shared: Compilers | undefined;

/**
 * A bot's program as one script for the sandbox (build-bot.ts), made in a process of its own, which is killed when it takes too long or too much.
 * Rejects with an AppError where that is nobody's fault (compilers.ts).
 */
export async function bundleBot(projectId: string, program: BotProgram, compilers = ours()): Promise<BundleResult> {
  const all = [program.source, ...(program.files ?? []).map(({ content }) => content)];
  if (all.reduce((sum, text) => sum + Buffer.byteLength(text), 0) > SANDBOX_LIMITS.sourceBytes)
    return refuse('The source is larger than 5 MiB', program);
  const compiled = await compilers.compile(projectId, program);
  return typeof compiled === 'string' ? refuse(STOPPED[compiled], program) : compiled;
}

/** Two, or one in each of several servers. */
function ours(): Compilers {
  shared ??= createCompilers({ processes: env().SERVER_PROCESSES > 1 ? 1 : 2 });
  return shared;
}

function refuse(text: string, program: BotProgram): BundleResult {
  return { ok: false, errors: [{ text, file: entryOf(program), line: 1, column: 1 }] };
}
