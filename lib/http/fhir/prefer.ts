import type { Shape } from '#lib/domain/rest/search/search-resources.ts';

/** One preference of the Prefer header (RFC 7240 §2): of one that stands twice the first counts; names in any case. */
export function preference(request: Request, name: string): string | undefined {
  const parts = (request.headers.get('prefer') ?? '').split(/[,;]/, MOST_PARTS);
  for (const part of parts) {
    const [key = '', value = ''] = part.split('=', 2);
    if (key.trim().toLowerCase() === name) return value.trim().replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

const MOST_PARTS = 32;

/** How a search is to treat what it does not know (R4 search §3.1.1.3): strictly, unless the caller asks for something else. */
export function searchShape(request: Request, extended: boolean): Shape {
  return { extended, lenient: preference(request, 'handling') === 'lenient' };
}

/** What is preferred of a Bundle is preferred of each of its entries: how much they answer, and how searches treat what they do not know. */
export function preferredWithin(request: Request): string {
  const names = ['return', 'handling'];
  return names
    .flatMap((name) => {
      const value = preference(request, name);
      return value !== undefined && /^[A-Za-z]+$/.test(value) ? `${name}=${value}` : [];
    })
    .join(', ');
}
