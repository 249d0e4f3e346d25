import { build, type Plugin } from 'esbuild';
import { withCompiler } from '../compile/with-compiler.ts';
import { sandboxPath } from './sandbox-path.ts';

let built: Promise<string> | undefined;

/**
 * The source of what stands in every bot's context before the bot, bundled once per process from `inside/`: for a snapshot, in which it leaves
 * `enter` as the global `__enter`. Where `@medplum/core` is to be at hand, its script (core-source.ts) comes before it.
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
  const [core, ...others] = await Promise.all([bundle('enter'), ...LATER.map(({ file }) => bundle(file))]);
  const loaders = LATER.map(({ name, before = '' }, index) => {
    const [create, load] = [`__create${name}`, `__load${name}`];
    // V8 looks at the body of such a function when it is called.
    return `const ${load} = (...args) => { let ${create}; ${before} ${others[index]}; return ${create}(...args); };`;
  });
  const snapshot = 'const __snapshotCore = globalThis.__core; delete globalThis.__core;';
  return `globalThis.__enter = (() => { "use strict"; let __enter; const __global = globalThis; ${snapshot} ${loaders.join('')} ${core}; return __enter; })()`;
}

/** Node's code looks at every namespace of the language as it is loaded; a bot's context lacks some (inside/globals.ts), and is not touched for that. */
const WITH_STAND_INS =
  'const globalThis = Object.create(__global, { __proto__: null, Atomics: { __proto__: null, value: {} }, FinalizationRegistry: { __proto__: null, value: class {} } });';

/** Bundles that are evaluated when something of them is first asked for. */
const LATER: readonly { file: string; name: string; before?: string }[] = [
  { file: 'extras', name: 'Extras' },
  { file: 'inspect/inspect', name: 'Inspect', before: WITH_STAND_INS },
  { file: 'client/client', name: 'ClientPart' },
  { file: 'web', name: 'Web' },
  { file: 'node', name: 'Node' },
];

/** What packages import that we have ourselves. */
const ownModules: Plugin = {
  name: 'own-modules',
  setup(builder) {
    builder.onResolve({ filter: /^(?:events|process|util)\/?$/ }, ({ path }) => ({
      path: sandboxPath(`inside/node/${path.replace('/', '')}.ts`),
    }));
  },
};

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await withCompiler(() =>
    build({
      entryPoints: [sandboxPath(`inside/${entry}.ts`)],
      bundle: true,
      write: false,
      // Without exports: reaching them through esbuild's namespace objects takes longer than all the rest of the prelude.
      format: 'iife',
      target: 'esnext',
      // Packages that were made for browsers, too, say so.
      platform: 'browser',
      define: { global: 'globalThis' },
      // What they expect of a `process`.
      ...(entry === 'node' && { inject: [sandboxPath('inside/node/global-process.ts')] }),
      plugins: [ownModules],
      legalComments: 'none',
      minifySyntax: true,
      minifyWhitespace: true,
      tsconfigRaw: {},
    }),
  );
  return outputFiles[0]!.text;
}
