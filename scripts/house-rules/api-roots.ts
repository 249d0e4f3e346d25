import { isShipped, type Source } from './source.ts';

const LIST = 'lib/protocol/api-roots.ts';
const MOST_ELSEWHERE = 2;
/** Why a file may name them all, nevertheless. */
const REPEATS: Record<string, string> = {
  'proxy.ts': 'Next reads the matcher without running it; api-roots.test.ts compares',
  'lib/http/bots/api/open-paths.ts': 'says which of them are open to bots, and how far',
};

/** There is one list of what is API. A file that names three of its roots has begun a second. */
export function apiRoots(sources: readonly Source[]): string[] {
  const list = sources.find(({ path }) => path === LIST);
  const roots = [...(list?.text.split('[')[1] ?? '').matchAll(/'([^']+)'/g)].map((match) => match[1]!);
  if (roots.length === 0) return [`${LIST} lists no root of the API`];
  return sources
    .filter((source) => isShipped(source) && source.path !== LIST && !REPEATS[source.path])
    .map(({ path, text }) => ({ path, named: roots.filter((root) => names(text, root)) }))
    .filter(({ named }) => named.length > MOST_ELSEWHERE)
    .map(({ path, named }) => `${path} names ${named.join(', ')} by itself: take the API's roots from ${LIST}`);
}

/** As a text of its own, or as one of several in a pattern. */
function names(text: string, root: string): boolean {
  const escaped = root.replaceAll('.', '\\\\*\\.');
  return new RegExp(`(['"\`])/?${escaped}/?\\1|\\b${escaped}/?\\||\\|/?${escaped}\\b`).test(text);
}
