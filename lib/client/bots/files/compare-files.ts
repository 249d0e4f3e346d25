import type { Files } from './program.ts';

export type FileChange = { filename: string; kind: 'added' | 'removed' | 'changed'; before: string; after: string };

/** What became of one bot's files in another, by name. */
export function compareFiles(before: Files, after: Files): FileChange[] {
  const [old, now] = [before, after].map(({ all }) => new Map(all.map(({ filename, content }) => [filename, content])));
  const names = [...new Set([...old!.keys(), ...now!.keys()])].sort();
  return names.flatMap((filename): FileChange[] => {
    const [was, is] = [old!.get(filename), now!.get(filename)];
    if (was === is) return [];
    const kind = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    return [{ filename, kind, before: was ?? '', after: is ?? '' }];
  });
}
