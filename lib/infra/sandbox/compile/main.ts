import { openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import type { BotProgram } from '#lib/protocol/bots/to-program.ts';
import { dropUser } from '../walls/drop-user.ts';
import { PIPE } from '../walls/pipe.ts';
import { encodeFrames } from '../wire/encode-frames.ts';
import { createFrameReader } from '../wire/frame-reader.ts';
import { FROM_COMPILER, type FromCompiler, TO_COMPILER, type ToCompiler, writeErrors } from './wire.ts';

/**
 * The process that compiles bots, one at a time, with esbuild's own as its child: no environment, no files, no network of ours. It leaves,
 * and takes that along, when the server does.
 *
 * esbuild looks by itself for what a made name could mean (`require('../' + name)`), as far from its folder as the source says. That is a folder
 * which nobody may enter (compiler-process.ts): so it stays there, and no path of it is said, since nobody could go there again.
 */
process.cwd = () => '';
if (process.argv[2]) keepBinary();
const { buildBot } = await import('./build-bot.ts');

dropUser();
let coreNames: string[] = [];
const pipe = new Socket({ fd: PIPE });
const reader = createFrameReader(TO_COMPILER, (message) => void receive(message as ToCompiler));
pipe.on('data', (chunk) => reader.push(chunk));
pipe.on('close', leave);
// It is closed then.
pipe.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

/** Whoever we become may not see where it lies, and starts it from here. */
function keepBinary(): void {
  const require = createRequire(createRequire(import.meta.url).resolve('esbuild'));
  const file = require.resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`);
  process.env.ESBUILD_BINARY_PATH = `/proc/self/fd/${openSync(file, 'r')}`;
}

async function receive([type, text]: ToCompiler): Promise<void> {
  if (type === 'build') {
    await build(JSON.parse(text));
    return;
  }
  coreNames = JSON.parse(text);
  // esbuild's process is there from now on.
  await build({ source: 'export const handler = 1', filename: 'index.ts' }, 'ready');
}

async function build(program: BotProgram, first?: 'ready'): Promise<void> {
  try {
    const built = await buildBot(program, coreNames);
    if (first) post([first]);
    else post(built.ok ? ['built', built.code, built.sourceMap] : ['refused', writeErrors(built.errors)]);
  } catch {
    // The compiler has ended.
    leave();
  }
}

function post(message: FromCompiler): void {
  pipe.write(encodeFrames(FROM_COMPILER, [message]));
}

/** With all that it has started. */
function leave(): void {
  process.kill(0, 'SIGKILL');
}
