import type { SQL } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Link } from '#lib/protocol/fhir/search/ir.ts';
import { isNamed, isNamedByAny, namesAny, namesSome } from '../../store/links/compile-canonical.ts';
import type { Found } from '../../store/links/compile-link.ts';
import { findNames, findPublished, type OtherEnd, such } from '../../store/links/find-linked.ts';

/** `leads`, `probes`: what the other end must fulfil besides. `isProbed`: each row is asked, whatever there is at the other end. */
type Asked = { end: OtherEnd; link: Link; leads?: SQL; probes?: SQL; isProbed: boolean };

/**
 * A link by canonicals as a condition on rows of `type`: `U` leads to what has this address, whatever its version, `U|V` to what has both (R4
 * references §2.3.0.1), and `Type/id` to that. One statement at most.
 */
export async function linkByName(q: Queryable, type: string, asked: Asked): Promise<Found> {
  const { end, link, leads, probes, isProbed } = asked;
  const row = { projectId: end.projectId, type };
  const [few, any] = [
    { ...end, also: leads },
    { ...end, also: probes },
  ];
  if (link.way === 'to') {
    const targets = isProbed ? undefined : await findPublished(q, few);
    return targets ? some(targets, () => namesSome(row, link.param, targets)) : each(namesAny(such(any), link.param));
  }
  const names = isProbed ? undefined : await findNames(q, few, link.param);
  return names ? some(names, () => isNamed(row, names)) : each(isNamedByAny(such(any), link.param, type));
}

function some<T>(found: readonly T[], linked: () => Extract<Found, { linked: unknown }>['linked']): Found {
  return found.length === 0 ? { expr: { op: 'none' } } : { linked: linked() };
}

function each(condition: SQL): Found {
  return { linked: { leads: condition, probes: condition } };
}
