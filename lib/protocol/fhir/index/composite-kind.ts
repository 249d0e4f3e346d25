export type CompositeKind = 'tokens' | 'ordered' | 'string';

const EXACT = new Set(['token', 'reference', 'uri']);
const ORDERED = new Set(['number', 'quantity', 'date']);

/** How the parts of a composite are indexed together (composites.ts), by their types; undefined where they cannot be. */
export function compositeKind([first = '', ...rest]: readonly string[]): CompositeKind | undefined {
  if (!EXACT.has(first) || rest.length === 0) return undefined;
  if (rest.length === 1 && EXACT.has(rest[0]!)) return 'tokens';
  if (rest.length === 1 && rest[0] === 'string') return 'string';
  const isPair = rest.length === 2 && rest.every((type) => type === 'number');
  return first === 'token' && (isPair || (rest.length === 1 && ORDERED.has(rest[0]!))) ? 'ordered' : undefined;
}
