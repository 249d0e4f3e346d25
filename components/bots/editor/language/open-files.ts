import { type Insertion, typeHandler } from './type-handler.ts';

export type Kept = { text: string; version: number; insertions: readonly Insertion[] };

const CODE = /\.[cm]?[jt]sx?$/;
const JS = /\.([cm]?)js$/;
const PACKAGES = /(?:^|\/)node_modules\//;

export type OpenFiles = ReturnType<typeof createOpenFiles>;

/**
 * A bot's files as the language service finds them, below `/`. What is declared of the Web, of Node and of the client stands beside them, and before them.
 */
export function createOpenFiles(declared: ReadonlyMap<string, string>) {
  /** By the names that their author gave them. */
  const authors = new Map<string, string>();
  const names = new Map<string, string>();
  /** By the names under which the service has them. */
  const open = new Map<string, Kept>();
  /** It stands in the name of a file without content: with another list of files, imports are looked for anew. */
  let listed = 0;
  let versions = 0;
  const declaredFolders = foldersOf(declared.keys());
  let folders: Set<string> | undefined;

  /** JavaScript is read as TypeScript: only so can its handler be told what it gets. CommonJS that others import is not: it has exports as JavaScript alone. */
  function nameOf(file: string, text: string): string {
    const asTypes = file.replace(JS, '.$1ts');
    return PACKAGES.test(file) || isCommonJs(text) || authors.has(asTypes) ? `/${file}` : `/${asTypes}`;
  }

  function keep(file: string, author: string): string {
    const before = names.get(file);
    if (before !== undefined && authors.get(file) === author) return before;
    const name = nameOf(file, author);
    if (before !== name) {
      drop(file);
      listed += 1;
      folders = undefined;
    }
    // `x.js` gives way to an `x.ts`.
    const rival = file.replace(/\.([cm]?)ts$/, '.$1js');
    const other = rival !== file && names.get(rival) === name ? authors.get(rival) : undefined;
    if (other !== undefined) drop(rival);
    authors.set(file, author);
    names.set(file, name);
    const insertions = isOwn(file) && !JS.test(name) ? typeHandler(author) : [];
    const text = insertions.reduceRight(
      (sum, { at, text: inserted }) => sum.slice(0, at) + inserted + sum.slice(at),
      author,
    );
    versions += 1;
    open.set(name, { text, version: versions, insertions });
    if (other !== undefined) keep(rival, other);
    return name;
  }

  function drop(file: string): void {
    const name = names.get(file);
    if (name === undefined) return;
    open.delete(name);
    authors.delete(file);
    names.delete(file);
    listed += 1;
    folders = undefined;
  }

  const within = (path: string) => (path.endsWith('/') ? path : `${path}/`);
  const text = (name: string) => (name === listName() ? '' : (declared.get(name) ?? open.get(name)?.text));
  const listName = () => `/lib/list-${listed}.d.ts`;
  const own = () => [...names].filter(([file]) => isOwn(file)).map(([file, name]) => ({ file, name }));
  const ofBot = () => {
    folders ??= foldersOf(open.keys());
    return folders;
  };

  return {
    keep,
    drop,
    /** Those that its author wrote, and what they are to the service. */
    own,
    insertionsOf: (name: string): readonly Insertion[] => open.get(name)?.insertions ?? [],
    /** What a service's host is asked about files. */
    host: {
      roots: () => [listName(), ...own().map(({ name }) => name)],
      version: (name: string) => String(open.get(name)?.version ?? 0),
      text,
      has: (name: string) => text(name) !== undefined,
      hasFolder: (path: string) => {
        const name = path.replace(/\/$/, '');
        return name === '' || declaredFolders.has(name) || ofBot().has(name);
      },
      /** For names of imports: the bot's own. */
      filesIn: (path: string, extensions: readonly string[] = ['']) =>
        [...open.keys()].filter(
          (name) =>
            name.startsWith(within(path)) &&
            !name.slice(within(path).length).includes('/') &&
            extensions.some((end) => name.endsWith(end)),
        ),
      foldersIn: (path: string) =>
        [...ofBot()]
          .filter((name) => name.startsWith(within(path)) && !name.slice(within(path).length).includes('/'))
          .map((name) => name.slice(within(path).length)),
    },
  };
}

function isOwn(file: string): boolean {
  return CODE.test(file) && !PACKAGES.test(file);
}

function isCommonJs(text: string): boolean {
  return !/^\s*(?:import|export)\b/m.test(text) && /\bexports\b/.test(text) && !/\bhandler\b/.test(text);
}

function foldersOf(names: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const name of names) {
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const folder = name.slice(0, end);
      if (found.has(folder)) break;
      found.add(folder);
    }
  }
  return found;
}
