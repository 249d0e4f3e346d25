import type { BotFile } from '#lib/protocol/bots/files.ts';

/** What a package says of itself, as far as it has the shape. */
export type PackageJson = Record<string, unknown> & { name: string };

export type FileTree = {
  read(path: string): string | undefined;
  hasFolder(path: string): boolean;
  /** Of the folder; undefined where it has none. Throws WrongPackage. */
  packageIn(folder: string): PackageJson | undefined;
};

/** A package.json that says nothing that could be followed. */
export class WrongPackage extends Error {}

/** Each name of what it exports may be looked at for each import. */
const MOST_CHARACTERS = 256 * 1024;

/** A bot's files as a file system has them, of which nothing is on a disk. */
export function toFileTree(files: readonly BotFile[]): FileTree {
  const contents = new Map(files.map(({ filename, content }) => [filename, content]));
  const folders = new Set(files.flatMap(({ filename }) => foldersAbove(filename)));
  const packages = new Map<string, PackageJson | undefined>();
  return {
    read: (path) => contents.get(path),
    hasFolder: (path) => folders.has(path),
    packageIn(folder) {
      if (!packages.has(folder)) packages.set(folder, read(folder));
      return packages.get(folder);
    },
  };

  function read(folder: string): PackageJson | undefined {
    const path = folder === '' ? 'package.json' : `${folder}/package.json`;
    const text = contents.get(path);
    if (text === undefined) return undefined;
    if (text.length > MOST_CHARACTERS) throw new WrongPackage(`${path} is longer than 256 KiB`);
    const value = toJson(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new WrongPackage(`${path} is no JSON object`);
    return { name: folder, ...value };
  }
}

/** From the nearest to the root, which is ''. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), ''];
}

export function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
