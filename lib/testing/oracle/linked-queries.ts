import type { Resource } from '#lib/protocol/fhir/types.ts';
import { pick, type Random } from './corpus.ts';
import type { Asked } from './judge.ts';
import { knows, type Linked } from './judge-linked.ts';
import { makeAsked, usedOf } from './queries.ts';
import { type Official, readValues } from './read-values.ts';

/** A chain that names no type means at most so many. */
const MOST_TYPES = 10;

/** A chain or a `_has` from this type over one to `depth` references, as the corpus has them; none where it has none. */
export function makeLinked(
  random: Random,
  corpus: readonly Resource[],
  type: string,
  depth: number,
): Linked | undefined {
  const steps = [...stepsTo(corpus, type), ...stepsFrom(corpus, type)];
  if (steps.length === 0) return undefined;
  const { way, param, next } = pick(random, steps);
  const isLast = depth === 1 || random() < 0.4;
  const then = (isLast ? undefined : makeLinked(random, corpus, next, depth - 1)) ?? makeEnd(random, corpus, next);
  if (!then) return undefined;
  const isUntyped = way === 'to' && random() < 0.5 && isNarrow(param, then);
  return { way, code: param.code, then, ...(isUntyped ? {} : { type: next }) };
}

function makeEnd(random: Random, corpus: readonly Resource[], type: string): Asked | undefined {
  const used = usedOf(type, corpus);
  const own = corpus.filter((resource) => resource.resourceType === type);
  return used.length > 0 ? makeAsked(random, pick(random, used), own) : undefined;
}

type Step = { way: 'to' | 'from'; param: Official; next: string };

function stepsTo(corpus: readonly Resource[], type: string): Step[] {
  return referencesOf(corpus, type).flatMap(({ param, types }) =>
    types.map((next): Step => ({ way: 'to', param, next })),
  );
}

function stepsFrom(corpus: readonly Resource[], type: string): Step[] {
  return [...new Set(corpus.map(({ resourceType }) => resourceType as string))].flatMap((next) =>
    referencesOf(corpus, next).flatMap(({ param, types }): Step[] =>
      types.includes(type) ? [{ way: 'from', param, next }] : [],
    ),
  );
}

/** The reference parameters of a type, and the types that they lead to here. */
export function referencesOf(corpus: readonly Resource[], type: string): { param: Official; types: string[] }[] {
  const own = corpus.filter((resource) => resource.resourceType === type);
  return usedOf(type, corpus)
    .filter(({ type: kind }) => kind === 'reference')
    .map((param) => {
      const found = own.flatMap((resource) => readValues(param.expression, resource) as { reference?: string }[]);
      const types = new Set(found.flatMap(({ reference }) => reference?.split('/')[0] ?? []));
      return { param, types: [...types].filter((one) => param.targets.length === 0 || param.targets.includes(one)) };
    });
}

/** Whether few types may stand at its end: every other must be named. */
function isNarrow({ targets }: Official, then: Linked | Asked): boolean {
  if ('way' in then) return targets.length === 1;
  return targets.length > 0 && targets.filter((type) => knows(type, then.code)).length <= MOST_TYPES;
}
