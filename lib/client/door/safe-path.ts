const HERE = 'http://here.invalid';

/**
 * A path of this site from a `next` parameter, or undefined: never another origin, never a scheme. The path is judged as the browser will
 * read it, which is after its dots are resolved: `/.//there` is `//there`. Given twice it is nothing.
 */
export function toSafePath(next: string | string[] | null | undefined): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/')) return undefined;
  const path = toPath(next);
  return path !== undefined && toPath(path) === path && !path.startsWith('//') ? path : undefined;
}

function toPath(text: string): string | undefined {
  const url = URL.parse(text, HERE);
  return url?.origin === HERE ? `${url.pathname}${url.search}${url.hash}` : undefined;
}
