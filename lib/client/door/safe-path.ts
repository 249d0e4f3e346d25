/** A path of this site from a `next` parameter, or undefined: never another origin, never a scheme. */
export function toSafePath(next: string | null | undefined): string | undefined {
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next)) return undefined;
  const url = URL.parse(next, 'http://here.invalid');
  return url?.origin === 'http://here.invalid' ? `${url.pathname}${url.search}${url.hash}` : undefined;
}
