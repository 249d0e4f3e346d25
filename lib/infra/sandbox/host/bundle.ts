import { build, type Message, type Plugin } from 'esbuild';
import { builtinOf, refusalOf, toModule, toRequired } from './builtins.ts';
import { loadCore } from './core-source.ts';
import { SANDBOX_LIMITS } from './limits.ts';
import { CompilerLost, withCompiler } from './with-compiler.ts';

/** `line` and `column` count from 1. */
export type BundleError = { text: string; file: string; line: number; column: number };
export type BundleResult = { ok: true; code: string; sourceMap: string } | { ok: false; errors: BundleError[] };

const TOO_DEEP = 'The compiler cannot get through this source: it is nested too deeply, or too large';
const NO_HANDLER = 'A bot must export a function named handler: export async function handler(medplum, event)';

/**
 * A bot's source (TypeScript or JavaScript, ESM or CommonJS) as one script for the sandbox. The only import there is is
 * `@medplum/core`, and of it what the sandbox provides; types are erased. Reads nothing from disk.
 */
export async function bundleBot(input: { source: string; filename: string }): Promise<BundleResult> {
  const file = input.filename.split('/').pop() || 'index.ts';
  if (Buffer.byteLength(input.source) > SANDBOX_LIMITS.sourceBytes)
    return refuse('The source is larger than 5 MiB', file);
  try {
    const { outputFiles, metafile } = await withCompiler(() =>
      build({
        // What has no handler fails here when it is an ES module; CommonJS can only tell when it is loaded.
        stdin: { contents: 'export { handler } from "bot:source"', sourcefile: 'bot:entry' },
        plugins: [onlyTheBot(input.source, file)],
        bundle: true,
        write: false,
        metafile: true,
        sourcemap: 'external',
        // Of the map only the lines are read.
        sourcesContent: false,
        outfile: 'bot.js',
        format: 'cjs',
        platform: 'neutral',
        target: 'esnext',
        charset: 'utf8',
        legalComments: 'none',
        logLevel: 'silent',
        tsconfigRaw: {},
      }),
    );
    if (!metafile.inputs[`bot:${file}`]?.format) return refuse(NO_HANDLER, file);
    const [sourceMap, code] = ['.map', '.js'].map(
      (end) => outputFiles.find((output) => output.path.endsWith(end))?.text ?? '',
    );
    return { ok: true, code: code!, sourceMap: sourceMap! };
  } catch (error) {
    if (error instanceof CompilerLost) return refuse(TOO_DEEP, file);
    if (!isBuildFailure(error)) throw error;
    return { ok: false, errors: error.errors.map((message) => toBundleError(message, file)) };
  }
}

function onlyTheBot(source: string, file: string): Plugin {
  return {
    name: 'only-the-bot',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (path === 'bot:source' && importer === 'bot:entry') return { path: file, namespace: 'bot' };
        if (path === '@medplum/core') return { path, namespace: 'library' };
        const builtin = builtinOf(path);
        // `require` gives the module as it is, which may be a function; an import is held to the names that there are.
        if (builtin) return { path: builtin, namespace: kind === 'require-call' ? 'required' : 'builtin' };
        return { errors: [{ text: refusalOf(path) }] };
      });
      builder.onLoad({ filter: /.*/, namespace: 'bot' }, () => ({ contents: source, loader: loaderOf(file) }));
      builder.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: toModule(path),
        loader: 'js',
      }));
      builder.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
        contents: toRequired(path),
        loader: 'js',
      }));
      builder.onLoad({ filter: /.*/, namespace: 'library' }, () => ({ contents: libraryModule(), loader: 'js' }));
    },
  };
}

function loaderOf(file: string): 'ts' | 'tsx' | 'js' {
  if (/\.[mc]?ts$/.test(file)) return 'ts';
  return file.endsWith('.tsx') ? 'tsx' : 'js';
}

// Named exports, so that a name that it lacks is an error with its line.
function libraryModule(): string {
  return `export const { ${loadCore().names.join(', ')} } = __library();`;
}

function toBundleError({ text, location }: Message, file: string): BundleError {
  if (!location || location.file === 'bot:entry') return { text: NO_HANDLER, file, line: 1, column: 1 };
  // esbuild counts columns in bytes from 0.
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  const plain = text
    .replaceAll(/"(?:bot|library|builtin):([^"]*)"/g, '"$1"')
    .replace(/( is) currently( not supported) with .*/, '$1$2');
  return { text: plain, file, line: location.line, column: before.length + 1 };
}

function isBuildFailure(error: unknown): error is Error & { errors: Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

function refuse(text: string, file: string): BundleResult {
  return { ok: false, errors: [{ text, file, line: 1, column: 1 }] };
}
