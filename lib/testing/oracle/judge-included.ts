import type { Resource } from '#lib/protocol/fhir/types.ts';
import { refersTo } from './judge-linked.ts';

/** `_include=source:code:target`, or `_revinclude`; `*` for all codes. */
export type Brought = {
  kind: '_include' | '_revinclude';
  source: string;
  code: string;
  target?: string;
  iterate?: true;
};

/** Each is as many rounds as docs/fhir.md promises. */
const ROUNDS = 5;

/** What comes along with these matches, as `Type/id`, round after round: with all of them what is asked, with what comes along what is asked with :iterate. */
export function judgeIncluded(
  world: readonly Resource[],
  matches: readonly Resource[],
  asked: readonly Brought[],
  codesOf: (type: string) => string[],
): string[] {
  const brought = new Set<Resource>();
  let fresh = [...matches];
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = asked.filter(({ iterate }) => iterate || round === 0);
    const isNew = (other: Resource) => !matches.includes(other) && !brought.has(other);
    const found = world.filter(
      (other) => isNew(other) && fresh.some((one) => now.some((by) => brings(one, other, by, codesOf))),
    );
    for (const one of found) brought.add(one);
    fresh = found;
  }
  return [...brought].map(({ resourceType, id }) => `${resourceType}/${id}`);
}

/** Whether the one brings the other along. */
function brings(
  one: Resource,
  other: Resource,
  { kind, source, code, target }: Brought,
  codesOf: (type: string) => string[],
): boolean {
  const [from, to] = kind === '_include' ? [one, other] : [other, one];
  if (from.resourceType !== source || (target ?? to.resourceType) !== to.resourceType) return false;
  return (code === '*' ? codesOf(source) : [code]).some((by) => refersTo(from, by, to));
}

export function nameOfBrought({ kind, iterate }: Brought): string {
  return iterate ? `${kind}:iterate` : kind;
}

export function valueOfBrought({ source, code, target }: Brought): string {
  return target ? `${source}:${code}:${target}` : `${source}:${code}`;
}
