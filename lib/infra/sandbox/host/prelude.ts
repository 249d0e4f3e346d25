import { build } from 'esbuild';
import { sandboxPath } from './sandbox-path.ts';
import { withCompiler } from './with-compiler.ts';

let built: Promise<string> | undefined;

/**
 * The source of what stands in every bot's context before the bot, bundled once per process from `inside/`. As a script
 * its value is `enter`; it leaves no global behind.
 */
export function loadPrelude(): Promise<string> {
  // One that failed is no answer for good.
  built ??= buildPrelude().catch((error) => {
    built = undefined;
    throw error;
  });
  return built;
}

async function buildPrelude(): Promise<string> {
  const [core, extras] = await Promise.all([bundle('enter'), bundle('extras')]);
  const loadExtras = `(...args) => { let __createExtras; ${extras}; return __createExtras(...args); }`;
  return `(() => { "use strict"; let __enter; const __loadExtras = ${loadExtras}; ${core}; return __enter; })()`;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await withCompiler(() =>
    build({
      entryPoints: [sandboxPath(`inside/${entry}.ts`)],
      bundle: true,
      write: false,
      // Without exports: reaching them through esbuild's namespace objects takes longer than all the rest of the prelude.
      format: 'iife',
      target: 'esnext',
      legalComments: 'none',
      minifySyntax: true,
      minifyWhitespace: true,
      tsconfigRaw: {},
    }),
  );
  return outputFiles[0]!.text;
}
