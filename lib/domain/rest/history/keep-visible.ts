import type { Queryable } from '#lib/infra/db/client.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Version } from '../../store/find-history.ts';
import { findJudged, type Known } from '../../store/history/find-judged.ts';
import { areWithin, isWithin } from '../../store/within-reach.ts';

/** Of each type, what the caller may see of it. */
export type Reaches = ReadonlyMap<string, Expr>;
/** Whether a resource, as it is now, is within reach: asked once for each in a request. */
export type Verdicts = Map<string, boolean>;

/**
 * The versions that the history of their own resource would show to this caller: the policy holds for the version, and for what the resource is
 * now (of a deleted one, for what it was).
 */
export async function keepVisible(
  projectId: string,
  reaches: Reaches,
  versions: readonly Version[],
  verdicts: Verdicts,
  q?: Queryable,
): Promise<Version[]> {
  const reachOf = (type: string): Expr => reaches.get(type) ?? { op: 'none' };
  const isOpen = ({ type }: Version) => reachOf(type).op === 'all';
  const open = new Set(versions.filter((each) => isOpen(each) || each.deleted));
  for (const [type, some] of Map.groupBy(versions, (each) => each.type)) {
    const judged = some.filter((each) => !open.has(each));
    const within = await areWithin(reachOf(type), judged, q);
    for (const [at, each] of judged.entries()) if (within[at]) open.add(each);
  }
  const candidates = versions.filter((each) => open.has(each));
  const asked = new Map<string, Known>();
  for (const version of candidates) {
    const name = nameOf(version);
    // Newest first: what comes again is older. One that was deleted is judged by the version before.
    const isNewest = !asked.has(name) || asked.get(name)!.version === 0;
    if (isOpen(version) || verdicts.has(name) || !isNewest) continue;
    asked.set(name, { type: version.type, id: version.id, version: version.deleted ? 0 : version.version });
  }
  if (asked.size > 0) {
    for (const name of asked.keys()) verdicts.set(name, false);
    for await (const { type, id, row } of findJudged(projectId, [...asked.values()], q)) {
      // Then it is one of the candidates, which are within reach.
      verdicts.set(nameOf({ type, id }), row === 'known' || (await isWithin(reachOf(type), row, q)));
    }
  }
  return candidates.filter((version) => isOpen(version) || verdicts.get(nameOf(version)));
}

function nameOf({ type, id }: { type: string; id: string }): string {
  return `${type}/${id}`;
}
