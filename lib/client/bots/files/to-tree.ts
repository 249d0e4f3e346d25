/** A row of a tree of files. The key of a folder ends in a slash, so that it is never a file's. */
export type TreeRow = { key: string; name: string; level: number; parent?: string; isFolder: boolean; isOpen: boolean };

/** Folders before files, by name; of a closed folder nothing. */
export function toTree(names: readonly string[], isOpen: (folder: string) => boolean): TreeRow[] {
  return rowsIn(names, '', 1, isOpen);
}

function rowsIn(
  names: readonly string[],
  folder: string,
  level: number,
  isOpen: (folder: string) => boolean,
): TreeRow[] {
  const inner = names.map((name) => name.slice(folder.length));
  const folders = new Map<string, string[]>();
  const files: string[] = [];
  for (const [index, rest] of inner.entries()) {
    const end = rest.indexOf('/');
    if (end < 0) files.push(rest);
    else {
      const name = rest.slice(0, end);
      const within = folders.get(name);
      if (within) within.push(names[index]!);
      else folders.set(name, [names[index]!]);
    }
  }
  const parent = folder === '' ? {} : { parent: folder };
  return [
    ...[...folders.keys()].sort().flatMap((name): TreeRow[] => {
      const key = `${folder}${name}/`;
      const row = { key, name, level, ...parent, isFolder: true, isOpen: isOpen(key) };
      return row.isOpen ? [row, ...rowsIn(folders.get(name)!, key, level + 1, isOpen)] : [row];
    }),
    ...files
      .sort()
      .map((name) => ({ key: `${folder}${name}`, name, level, ...parent, isFolder: false, isOpen: false })),
  ];
}
