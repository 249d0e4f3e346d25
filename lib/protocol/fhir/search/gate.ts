import type { Hop } from '../index/path-compile.ts';
import type { SearchParam } from '../index/search-params.ts';
import { and, type Expr, not } from './ir.ts';

/**
 * Of which resources of a type the caller may see what a parameter asks by; undefined where of all. `_text` and `_content` ask by words. Throws
 * AppError forbidden (403) where of none.
 */
export type Gate = (type: string, param: SearchParam | '_text' | '_content') => Expr | undefined;

/** A filter as it is where the elements that it asks by are not there, of all that the gate closes. `isOfNothing`: what it is of nothing. */
export function gated(filter: Expr, visible: Expr | undefined, isOfNothing: boolean): Expr {
  if (!visible) return filter;
  if (!isOfNothing) return and([visible, filter]);
  return { op: 'or', args: [not(visible), filter] };
}

/** Whether it speaks of one of these elements at the top of the resource; what is not told by name might. */
export function readsAny(param: SearchParam, names: ReadonlySet<string>): boolean {
  return pathsOf(param).some(({ hops }) => {
    const read = topOf(hops);
    return read.length === 0 || read.some((name) => names.has(name));
  });
}

/** From the resource on. A composite of the resource itself reads what its parts read, and nothing else of it. */
function pathsOf({ path, groups }: SearchParam): SearchParam['path'] {
  if (groups.length === 0) return path;
  return groups.flatMap(({ branch, parts }) => {
    const isWhole = branch.hops.length === 0;
    const paths = parts.flatMap((part) => (isWhole || part.fromResource ? part.param.path : []));
    return isWhole ? paths : [branch, ...paths];
  });
}

/** The elements at the top of the resource by which a path goes: the one that it leads into, and those that its conditions on the resource itself ask of. */
function topOf(hops: readonly Hop[]): string[] {
  const into = hops.findIndex((hop) => 'property' in hop);
  return hops.slice(0, into < 0 ? hops.length : into + 1).flatMap((hop) => {
    if ('property' in hop) return [hop.property];
    if ('index' in hop) return [];
    const { condition } = hop;
    if ('equals' in condition) return [condition.equals[0]];
    return 'extension' in condition ? ['extension'] : ['reference'];
  });
}
