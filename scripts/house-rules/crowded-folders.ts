import { isShipped, type Source } from './source.ts';

const MOST_FILES = 24;
const MOST_OF_A_NAME = 4;
/** How the house begins the name of a function's file; of these a folder may hold as many as it has room for. */
const VERBS = new Set(
  'add create delete edit end find insert list load parse queue read remove require save set start to update use'.split(
    ' ',
  ),
);

/** A folder that `ls` no longer explains is two rooms. */
export function crowdedFolders(sources: readonly Source[]): string[] {
  return [...namesByFolder(sources)].flatMap(([folder, names]) => [
    ...(names.length > MOST_FILES
      ? [`${folder} holds ${names.length} source files; a folder holds ${MOST_FILES} at most: make two rooms of it`]
      : []),
    ...[...groupByWord(names)]
      .filter(([, count]) => count > MOST_OF_A_NAME)
      .map(
        ([word, count]) =>
          `${folder} holds ${count} files called ${word}-…; ${MOST_OF_A_NAME} at most, then they are a room (${[...VERBS].join(', ')} do not count)`,
      ),
  ]);
}

function namesByFolder(sources: readonly Source[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const { path } of sources.filter(isShipped)) {
    const at = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(at, 0)) || 'the root';
    folders.set(folder, [...(folders.get(folder) ?? []), path.slice(at + 1)]);
  }
  return folders;
}

function groupByWord(names: readonly string[]): Map<string, number> {
  const words = names.flatMap((name) => /^([a-z0-9]+)-/.exec(name)?.[1] ?? []).filter((word) => !VERBS.has(word));
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
