import { fhirBase } from '#lib/base/fhir-base.ts';
import { compartmentsOf } from '#lib/protocol/fhir/index/compartments.ts';
import { accountTokens, tokensReferringTo } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { readsAny } from '#lib/protocol/fhir/search/gate.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Actor } from './context.ts';
import { hasFields, visibleWhere } from './fields.ts';
import { ALL } from './rule.ts';

/**
 * Of which resources of a type the caller sees what puts them into the compartments of these owners, by whichever reference: each owner is in its
 * own anyway. Beside the condition that they are in it.
 */
export function seenInCompartment(
  bound: Pick<Actor, 'policy' | 'projectId'>,
  type: string,
  owner: { type: string; ids: string[] },
): Expr {
  if (!hasFields(bound, type)) return ALL;
  const codes = compartmentsOf(type).flatMap(({ compartment, params }) => (compartment === owner.type ? params : []));
  const ways = codes.flatMap((code) => {
    const param = searchParam(type, code, bound.projectId);
    return param ? [{ param, visible: visibleWhere(bound, type, (names) => readsAny(param, names)) }] : [];
  });
  if (ways.every(({ visible }) => visible.op === 'all')) return ALL;
  const args = ways.map(({ param, visible }): Expr => {
    const anyOf = owner.ids.flatMap((id) => {
      return tokensReferringTo(param, bound.projectId, { type: owner.type, id }, fhirBase());
    });
    return anyOf.length === 0 ? { op: 'none' } : and([visible, { op: 'token', anyOf, selective: true }]);
  });
  const own = searchParam(type, '_compartment');
  const accounts = owner.ids.map((id) => ({ reference: `${owner.type}/${id}` }));
  const byAccount = own ? accountTokens(own, bound.projectId, accounts) : [];
  if (byAccount.length > 0) args.push({ op: 'token', anyOf: byAccount, selective: true });
  return { op: 'or', args: [...args, ...(type === owner.type ? [{ op: 'id', anyOf: owner.ids } as const] : [])] };
}
