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
  const [core, extras, client] = await Promise.all([bundle('enter'), bundle('extras'), bundle('client/client')]);
  const loadExtras = lazy('__createExtras', extras);
  const loadClient = lazy('__createClientPart', client);
  // The snapshot's global is taken before anything of the bot could look at it.
  const snapshot = 'const __snapshotCore = globalThis.__core; delete globalThis.__core;';
  return `(() => { "use strict"; let __enter; ${snapshot} const __loadExtras = ${loadExtras}; const __loadClient = ${loadClient}; ${core}; return __enter; })()`;
}

/** V8 looks at the body of such a function when it is called. */
function lazy(create: string, source: string): string {
  return `(...args) => { let ${create}; ${source}; return ${create}(...args); }`;
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
