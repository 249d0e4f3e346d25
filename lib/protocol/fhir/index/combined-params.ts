import type { Branch } from './path-compile.ts';

type Places = { type: string; path: readonly Branch[] };
type Param = Places & {
  id: number;
  supported: boolean;
  indexedAs: readonly number[];
  groups: readonly { branch: Branch; parts: readonly { param: Places }[] }[];
};

/** Of tokens and references, the texts beside them: their tokens are each parameter's own. */
const SHARED = new Set(['number', 'quantity', 'composite', 'token', 'reference']);

/**
 * A parameter whose values are those of others (Observation's combo-value-quantity: of value-quantity and component-value-quantity) has no rows
 * of its own: a search with it asks for theirs. Only what is written for many resources is worth it.
 */
export function shareIndex<P extends Param>(params: P[]): P[] {
  const known = params.filter((param) => param.supported && SHARED.has(param.type));
  const named = new Map(known.map((param) => [param, placesOf(param)]));
  return params.map((param) => {
    const own = named.get(param);
    if (!own || own.size < 2) return param;
    const parts = known.filter((other) => {
      const places = named.get(other)!;
      return other.type === param.type && places.size < own.size && [...places].every((place) => own.has(place));
    });
    const covered = new Set(parts.flatMap((other) => [...named.get(other)!]));
    return covered.size === own.size ? { ...param, indexedAs: parts.map(({ id }) => id) } : param;
  });
}

function placesOf({ path, groups }: Param): Set<string> {
  if (groups.length === 0) return new Set(path.map(placeOf));
  return new Set(
    groups.map(({ branch, parts }) =>
      [placeOf(branch), ...parts.map(({ param }) => [param.type, ...param.path.map(placeOf)].join(' '))].join(' > '),
    ),
  );
}

function placeOf({ hops, type }: Branch): string {
  return JSON.stringify([hops, type]);
}
