import { build, type Message, type Plugin } from 'esbuild';
import type { BotProgram } from '#lib/protocol/bots/to-program.ts';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import { type FileTree, toFileTree, WrongPackage } from '../packages/file-tree.ts';
import { findModule } from '../packages/find-module.ts';
import { readLock } from '../packages/read-lock.ts';
import { builtinOf, refusalOf, toModule, toRequired } from './builtins.ts';
import type { BundleError, BundleResult } from './bundle-result.ts';
import { entryOf } from './entry-of.ts';

/** Each costs a question of the compiler to this process. */
const MOST_IMPORTS = 10_000;
/** The same as the text has it, before the compiler begins. */
const MOST_IMPORT_WORDS = 2 * MOST_IMPORTS;
const MOST_ERRORS = 100;
/** Of what is said of one error, names of the source with it. */
const MOST_TEXT = 2000;
const NO_HANDLER = 'A bot must export a function named handler: export async function handler(medplum, event)';

/**
 * A bot's source (TypeScript or JavaScript, ESM or CommonJS), with the files and packages that came along, as one script for the sandbox. What
 * else it may import is `@medplum/core`, whose exports are `coreNames`, and what the sandbox provides of Node; types are erased. Reads nothing
 * from disk, and fetches nothing. Rejects when the compiler ends.
 */
export async function buildBot(program: BotProgram, coreNames: readonly string[]): Promise<BundleResult> {
  const { source, files = [] } = program;
  const file = entryOf(program);
  const all = [{ filename: file, content: source }, ...files];
  if (all.reduce((sum, { content }) => sum + importWords(content), 0) > MOST_IMPORT_WORDS)
    return refuse(TOO_MANY, file);
  try {
    const tree = toFileTree(all);
    const { versions, wrong } = readLock(tree);
    if (wrong.length > 0)
      return {
        ok: false,
        errors: wrong
          .slice(0, MOST_ERRORS)
          .map(({ file: of, text }) => ({ text: text.slice(0, MOST_TEXT), file: of, line: 1, column: 1 })),
      };
    const packages = program.files && versions;
    const { outputFiles, metafile, warnings } = await build({
      // What has no handler fails here when it is an ES module; CommonJS can only tell when it is loaded.
      stdin: { contents: 'export { handler } from "bot:source"', sourcefile: 'bot:entry' },
      plugins: [onlyTheBot({ tree, file, packages, coreNames })],
      bundle: true,
      write: false,
      metafile: true,
      sourcemap: 'external',
      // Of the map only the lines are read.
      sourcesContent: false,
      absWorkingDir: '/',
      outfile: 'bot.js',
      format: 'cjs',
      platform: 'neutral',
      // As for a CommonJS module of Node's.
      define: { __dirname: '"/"', __filename: '"/index.js"' },
      target: 'esnext',
      // V8 has none of these yet.
      supported: { decorators: false },
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      tsconfigRaw: {},
    });
    const made = warnings.find(({ id }) => id === 'empty-glob');
    if (made) return { ok: false, errors: [toBundleError({ ...made, text: MADE }, file)] };
    if (!metafile.inputs[`bot:${file}`]?.format) return refuse(NO_HANDLER, file);
    const [sourceMap, code] = ['.map', '.js'].map((end) => outputFiles.find((output) => output.path.endsWith(end))!);
    if (
      code!.contents.length > SANDBOX_LIMITS.bundleBytes ||
      sourceMap!.contents.length > SANDBOX_LIMITS.sourceMapBytes
    )
      return refuse(TOO_LARGE, file);
    return { ok: true, code: code!.text, sourceMap: sourceMap!.text };
  } catch (error) {
    if (error instanceof WrongPackage) return refuse(error.message, file);
    if (!isBuildFailure(error)) throw error;
    return { ok: false, errors: distinct(error.errors.map((message) => toBundleError(message, file))) };
  }
}

type Bot = {
  tree: FileTree;
  file: string;
  /** The versions of a lock file, where files came along. */
  packages: ReadonlyMap<string, string> | undefined;
  coreNames: readonly string[];
};

function onlyTheBot({ tree, file, packages, coreNames }: Bot): Plugin {
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
      builder.onLoad({ filter: /.*/, namespace: 'library' }, () => ({
        contents: libraryModule(coreNames),
        loader: 'js',
      }));
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
const TOO_LARGE = 'What this source becomes is larger than 16 MiB';
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
function libraryModule(names: readonly string[]): string {
  return `export const { ${names.join(', ')} } = __library();`;
}

function toBundleError({ text, location }: Message, entry: string): BundleError {
  if (!location || location.file === 'bot:entry') return { text: NO_HANDLER, file: entry, line: 1, column: 1 };
  const file = location.file.replace(/^bot:/, '');
  // esbuild counts columns in bytes from 0.
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString();
  const plain = (/^Could not resolve (?:import|require)\(/.test(text) ? MADE : text)
    .replaceAll(/"(?:bot|library|builtin):([^"]*)"/g, '"$1"')
    .replace(/( is) currently( not supported) with .*/, '$1$2');
  return { text: plain.slice(0, MOST_TEXT), file, line: location.line, column: before.length + 1 };
}

/** How many files of the disk an import could mean is not told either. */
function distinct(errors: BundleError[]): BundleError[] {
  return [...new Map(errors.map((one) => [JSON.stringify(one), one])).values()].slice(0, MOST_ERRORS);
}

function isBuildFailure(error: unknown): error is Error & { errors: Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}

function refuse(text: string, file: string): BundleResult {
  return { ok: false, errors: [{ text: text.slice(0, MOST_TEXT), file, line: 1, column: 1 }] };
}
