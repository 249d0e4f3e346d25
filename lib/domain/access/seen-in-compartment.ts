import { compartmentsOf } from '#lib/protocol/fhir/index/compartments.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { readsAny } from '#lib/protocol/fhir/search/gate.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { hasFields, visibleWhere } from './fields.ts';
import type { Policy } from './policy.ts';
import { ALL } from './rule.ts';

/** Of which resources of a type the caller sees what puts them into the compartments of these owners: each is in its own anyway. */
export function seenInCompartment(
  bound: { policy: Policy },
  type: string,
  owner: { type: string; ids: string[] },
): Expr {
  if (!hasFields(bound, type)) return ALL;
  const codes = compartmentsOf(type).flatMap(({ compartment, params }) => (compartment === owner.type ? params : []));
  const params = codes.flatMap((code) => searchParam(type, code) ?? []);
  const visible = visibleWhere(bound, type, (names) => params.some((param) => readsAny(param, names)));
  if (type !== owner.type || visible.op === 'all') return visible;
  return { op: 'or', args: [visible, { op: 'id', anyOf: owner.ids }] };
}
