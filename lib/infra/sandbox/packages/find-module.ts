import { posix } from 'node:path';
import { exports as exportsOf, imports as importsOf, type Package } from 'resolve.exports';
import { type FileTree, foldersAbove, type PackageJson } from './file-tree.ts';

/** `importer`: the file that has the import. */
export type Sought = { path: string; importer: string; isRequired: boolean };
/** `isPure`: what nobody uses of it may be left out. `false`: the package says that browsers have nothing there. */
export type FoundModule = { file: string; isPure: boolean } | false;

const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** TypeScript is imported by the name of what becomes of it. */
const BECOMES: Record<string, string[]> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
/** Names of packages that lead to others that lead on. */
const MOST_TURNS = 8;

/**
 * The file that is meant, as Node finds it and a bundler for browsers would: what a package has for these needs neither files nor sockets.
 * Undefined where there is none. Throws WrongPackage.
 */
export function findModule(tree: FileTree, sought: Sought, turns = 0): FoundModule | undefined {
  if (turns > MOST_TURNS) return undefined;
  const { path, importer } = sought;
  const own = packageOf(tree, importer);
  if (/^\.\.?(?:\/|$)/.test(path)) return found(tree, inFolder(tree, posix.join(posix.dirname(importer), path)));
  const instead = own && browserMap(own.json)?.[path];
  if (instead === false) return false;
  if (typeof instead === 'string' && instead !== path) return again(tree, sought, own!.folder, instead, turns);
  if (path.startsWith('#')) return own && throughImports(tree, sought, own, turns);
  return inPackages(tree, sought);
}

type Own = { folder: string; json: PackageJson };

function packageOf(tree: FileTree, file: string): Own | undefined {
  const folder = foldersAbove(file).find((above) => tree.packageIn(above) || above.endsWith('/node_modules'));
  const json = folder === undefined ? undefined : tree.packageIn(folder);
  return json && { folder: folder!, json };
}

function browserMap({ browser }: PackageJson): Record<string, unknown> | undefined {
  return typeof browser === 'object' && browser !== null ? (browser as Record<string, unknown>) : undefined;
}

/** What stands for it is another package, or a file of its own. */
function again(tree: FileTree, sought: Sought, folder: string, path: string, turns: number) {
  return findModule(tree, { ...sought, importer: posix.join(folder, 'package.json'), path }, turns + 1);
}

function throughImports(tree: FileTree, sought: Sought, { folder, json }: Own, turns: number) {
  for (const target of targets(() => importsOf(json as Package, sought.path, options(sought)))) {
    const module = again(tree, sought, folder, target, turns);
    if (module !== undefined) return module;
  }
  return undefined;
}

function inPackages(tree: FileTree, sought: Sought): FoundModule | undefined {
  const parts = sought.path.split('/');
  const name = parts.slice(0, sought.path.startsWith('@') ? 2 : 1).join('/');
  const rest = sought.path.slice(name.length + 1);
  for (const above of foldersAbove(sought.importer)) {
    const folder = posix.join(above, 'node_modules', name);
    if (tree.hasFolder(folder)) return found(tree, inPackage(tree, sought, folder, rest));
  }
  return undefined;
}

function inPackage(tree: FileTree, sought: Sought, folder: string, rest: string): string | undefined {
  const json = tree.packageIn(folder);
  if (json?.exports !== undefined && json.exports !== null) {
    const all = targets(() => exportsOf(json as Package, rest === '' ? '.' : `./${rest}`, options(sought)));
    return all.map((target) => posix.join(folder, target)).find((file) => tree.read(file) !== undefined);
  }
  return rest === '' ? mainOf(tree, folder, sought.isRequired) : inFolder(tree, posix.join(folder, rest));
}

function options({ isRequired }: Sought) {
  return { browser: true, require: isRequired, conditions: isRequired ? [] : ['module'] };
}

/** It throws where there is nothing, and at shapes that lead nowhere. */
// biome-ignore lint/suspicious/noConfusingVoidType: what resolve.exports says
function targets(find: () => string[] | void): string[] {
  try {
    return find() ?? [];
  } catch {
    return [];
  }
}

function inFolder(tree: FileTree, path: string): string | undefined {
  if (path.startsWith('..')) return undefined;
  return asFile(tree, path) ?? (tree.hasFolder(trimmed(path)) ? mainOf(tree, trimmed(path), true) : undefined);
}

function trimmed(path: string): string {
  const plain = path.replace(/\/$/, '');
  return plain === '.' ? '' : plain;
}

function asFile(tree: FileTree, path: string): string | undefined {
  const extension = posix.extname(path);
  const stem = path.slice(0, path.length - extension.length);
  const names = [path, ...(BECOMES[extension] ?? []).map((end) => stem + end), ...EXTENSIONS.map((end) => path + end)];
  return names.find((name) => tree.read(name) !== undefined);
}

function mainOf(tree: FileTree, folder: string, isRequired: boolean): string | undefined {
  const json = tree.packageIn(folder);
  const named = [json?.browser, isRequired ? undefined : json?.module, json?.main];
  for (const name of [...named, './index']) {
    if (typeof name !== 'string') continue;
    const path = posix.join(folder, name);
    const file = asFile(tree, path) ?? asFile(tree, posix.join(path, 'index'));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Unless the package has another for browsers. */
function found(tree: FileTree, file: string | undefined): FoundModule | undefined {
  if (file === undefined) return undefined;
  const own = packageOf(tree, file);
  const isPure = own?.json.sideEffects === false;
  const instead = own && browserMap(own.json)?.[`./${posix.relative(own.folder, file)}`];
  if (instead === false) return false;
  if (typeof instead !== 'string') return { file, isPure };
  const other = inFolder(tree, posix.join(own!.folder, instead));
  return other === undefined ? undefined : { file: other, isPure };
}
