import { type BuildOptions, context, type Message, type Plugin } from 'esbuild';
import type { BotProgram } from '#lib/protocol/bots/to-program.ts';
import { loadCore } from '../host/core-source.ts';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import { type FileTree, toFileTree, WrongPackage } from '../packages/file-tree.ts';
import { findModule } from '../packages/find-module.ts';
import { readLock } from '../packages/read-lock.ts';
import { builtinOf, refusalOf, toModule, toRequired } from './builtins.ts';
import { CompilerLost, withCompiler } from './with-compiler.ts';

/** `line` and `column` count from 1. */
export type BundleError = { text: string; file: string; line: number; column: number };
export type BundleResult = { ok: true; code: string; sourceMap: string } | { ok: false; errors: BundleError[] };

/** Each costs a question of the compiler's process to this one. */
const MOST_IMPORTS = 10_000;
/** The same as the text has it, before the compiler begins: it is not to be stopped while it asks. */
const MOST_IMPORT_WORDS = 2 * MOST_IMPORTS;
const MOST_ERRORS = 100;
/** A source of 5 MiB takes a few seconds. */
const MOST_MS = 20_000;
const TOO_LONG = 'The compiler takes too long for this source: it has too many imports, or is too large';
const TOO_DEEP = 'The compiler cannot get through this source: it is nested too deeply, or too large';
const NO_HANDLER = 'A bot must export a function named handler: export async function handler(medplum, event)';

/**
 * A bot's source (TypeScript or JavaScript, ESM or CommonJS), with the files and packages that came along, as one script for the sandbox. What
 * else it may import is `@medplum/core` and what the sandbox provides of Node; types are erased. Reads nothing from disk, and fetches nothing.
 */
export async function bundleBot(program: BotProgram): Promise<BundleResult> {
  const { source, files = [] } = program;
  const file = program.files ? program.filename : program.filename.split('/').pop() || 'index.ts';
  const all = [{ filename: file, content: source }, ...files];
  if (all.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0) > SANDBOX_LIMITS.sourceBytes)
    return refuse('The source is larger than 5 MiB', file);
  if (all.reduce((sum, { content }) => sum + importWords(content), 0) > MOST_IMPORT_WORDS)
    return refuse(TOO_MANY, file);
  try {
    const tree = toFileTree(all);
    const { versions, wrong } = readLock(tree);
    if (wrong.length > 0)
      return { ok: false, errors: wrong.slice(0, MOST_ERRORS).map((one) => ({ ...one, line: 1, column: 1 })) };
    const packages = program.files && versions;
    const { outputFiles, metafile, warnings } = await withCompiler(() =>
      buildInTime({
        // What has no handler fails here when it is an ES module; CommonJS can only tell when it is loaded.
        stdin: { contents: 'export { handler } from "bot:source"', sourcefile: 'bot:entry' },
        plugins: [onlyTheBot(tree, file, packages)],
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
    const made = warnings.find(({ id }) => id === 'empty-glob');
    if (made) return { ok: false, errors: [toBundleError({ ...made, text: MADE }, file)] };
    if (!metafile.inputs[`bot:${file}`]?.format) return refuse(NO_HANDLER, file);
    const [sourceMap, code] = ['.map', '.js'].map(
      (end) => outputFiles.find((output) => output.path.endsWith(end))?.text ?? '',
    );
    return { ok: true, code: code!, sourceMap: sourceMap! };
  } catch (error) {
    if (error instanceof CompilerLost) return refuse(TOO_DEEP, file);
    if (error instanceof WrongPackage) return refuse(error.message, file);
    if (!isBuildFailure(error)) throw error;
    if (error.errors.some(({ text }) => text === CANCELLED)) return refuse(TOO_LONG, file);
    return { ok: false, errors: distinct(error.errors.map((message) => toBundleError(message, file))) };
  }
}

const CANCELLED = 'The build was canceled';

async function buildInTime(options: BuildOptions & { metafile: true; write: false }) {
  const building = await context(options);
  const timer = setTimeout(() => void building.cancel().catch(() => undefined), MOST_MS);
  try {
    return await building.rebuild();
  } finally {
    clearTimeout(timer);
    await building.dispose();
  }
}

/** `packages`: the versions of a lock file, where files came along. */
function onlyTheBot(tree: FileTree, file: string, packages: ReadonlyMap<string, string> | undefined): Plugin {
  return {
    name: 'only-the-bot',
    setup(builder) {
      let imports = 0;
      let errors = 0;
      builder.onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (path === 'bot:source' && importer === 'bot:entry') return { path: file, namespace: 'bot' };
        imports += 1;
        if (imports === MOST_IMPORTS) return { errors: [{ text: TOO_MANY }] };
        // To say where each error is takes the compiler longer the more there are.
        if (imports > MOST_IMPORTS || errors === MOST_ERRORS) return NOTHING;
        if (path === '@medplum/core') return { path, namespace: 'library' };
        const isRequired = kind === 'require-call';
        const builtin = builtinOf(path);
        // `require` gives the module as it is, which may be a function; an import is held to the names that there are.
        if (builtin) return { path: builtin, namespace: isRequired ? 'required' : 'builtin' };
        const found = findOwn(path, importer, isRequired);
        if (typeof found === 'object') return { path: found.file, namespace: 'bot', sideEffects: !found.isPure };
        if (found === false) return NOTHING;
        errors += 1;
        return { errors: [{ text: found ?? refusalOf(path, packages) }] };
      });
      builder.onLoad({ filter: /.*/, namespace: 'bot' }, ({ path }) => {
        const loader = loaderOf(path);
        if (loader) return { contents: tree.read(path)!, loader };
        return { errors: [{ text: `${path} is neither TypeScript, JavaScript nor JSON` }] };
      });
      builder.onLoad({ filter: /.*/, namespace: 'file' }, () => ({ errors: [{ text: MADE }] }));
      builder.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({
        contents: 'module.exports = {};',
        loader: 'js',
      }));
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

  /** A text is why not. */
  function findOwn(path: string, importer: string, isRequired: boolean) {
    if (!packages) return undefined;
    try {
      return findModule(tree, { path, importer: importer.replace(/^bot:/, ''), isRequired });
    } catch (error) {
      if (error instanceof WrongPackage) return `Cannot import "${path}": ${error.message}`;
      throw error;
    }
  }
}

const NOTHING = { path: 'nothing', namespace: 'nothing' };
/**
 * `require('../' + name)`: esbuild looks for all that could be meant on the disk by itself, asks no plugin where, and would take it along. It is said alike
 * whatever stands there.
 */
const MADE = 'What is imported is written out whole: a name that is made while the bot runs is not looked for';
const TOO_MANY = `A bot has at most ${MOST_IMPORTS.toLocaleString('en')} imports`;

function importWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\b(?:import|require)\b|\bfrom\s*["'/]/g)) count += 1;
  return count;
}

function loaderOf(file: string): 'ts' | 'tsx' | 'js' | 'jsx' | 'json' | undefined {
  const [, end] = /\.([mc]?ts|tsx|[mc]?js|jsx|json)$/.exec(file) ?? [];
  if (end === 'tsx' || end === 'jsx' || end === 'json') return end;
  if (end === undefined) return undefined;
  return end.endsWith('ts') ? 'ts' : 'js';
}

// Named exports, so that a name that it lacks is an error with its line.
function libraryModule(): string {
  return `export const { ${loadCore().names.join(', ')} } = __library();`;
}

function toBundleError({ text, location }: Message, entry: string): BundleError {
  if (!location || location.file === 'bot:entry') return { text: NO_HANDLER, file: entry, line: 1, column: 1 };
  const file = location.file.replace(/^bot:/, '');
  // esbuild counts columns in bytes from 0.
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  const plain = (/^Could not resolve (?:import|require)\(/.test(text) ? MADE : text)
    .replaceAll(/"(?:bot|library|builtin):([^"]*)"/g, '"$1"')
    .replace(/( is) currently( not supported) with .*/, '$1$2');
  return { text: plain, file, line: location.line, column: before.length + 1 };
}

/** How many files of the disk an import could mean is not told either. */
function distinct(errors: BundleError[]): BundleError[] {
  return [...new Map(errors.map((one) => [JSON.stringify(one), one])).values()].slice(0, MOST_ERRORS);
}

function isBuildFailure(error: unknown): error is Error & { errors: Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

function refuse(text: string, file: string): BundleResult {
  return { ok: false, errors: [{ text, file, line: 1, column: 1 }] };
}
