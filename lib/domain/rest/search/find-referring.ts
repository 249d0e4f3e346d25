import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { isCanonical, isLink, tokensReferringTo } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { type SearchParam, searchParamsOf } from '#lib/protocol/fhir/index/search-params.ts';
import { requireBuilt } from '#lib/protocol/fhir/search/values.ts';
import { resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import type { Actor } from '../../access/context.ts';
import { hasFields } from '../../access/fields.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { findSeveral } from '../../store/links/find-several.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import { type Row, toResource } from '../../store/row.ts';
import { shownAll } from '../shown.ts';
import { ruleOf } from '../type-rules.ts';

/** `warnings`: of what there is more than a page brings along. */
export type Included = { rows: Row[]; warnings: string[] };

const MAX_ROWS = 1000;
/** Each is looked up in the index. */
const MAX_TOKENS = 10_000;

/** `_revinclude=*`: what refers to these rows by any reference of any type that the caller may search. One statement. */
export async function findReferring(actor: Actor, rows: Row[], tx?: Queryable): Promise<Included> {
  const { projectId } = actor;
  const types = resourceTypes().filter((type) => !ruleOf(type).elsewhere && mayReach(actor, type, 'search'));
  const base = fhirBase();
  let left = MAX_TOKENS;
  const parts = types.map((type) => {
    const params = searchParamsOf(type, projectId).filter(isReference);
    for (const param of params) requireBuilt(param);
    const tokens = rows.flatMap((row) => {
      const to = params.filter(({ targets }) => targets.length === 0 || targets.includes(row.type));
      left -= to.length;
      if (left < 0) throw tooMany();
      return to.flatMap((param) => tokensReferringTo(param, projectId, row, base));
    });
    return { type, filter: reach(actor, type, 'search'), tokens };
  });
  const found = await findSeveral({ projectId, parts, count: MAX_ROWS, mostBytes: PAGE_BYTES }, tx);
  const text = `This page brings along the newest ${found.rows.length} resources that refer to it, and there are more: ask for a smaller page`;
  const asked = new Map(parts.map(({ type, tokens }) => [type, tokens]));
  const referring = (await shownAll(actor, found.rows, tx)).filter(
    (row) => !hasFields(actor, row.type) || hasToken(row, asked.get(row.type) ?? []),
  );
  return { rows: referring, warnings: found.next ? [text] : [] };
}

/** Whether it refers so in what its reader sees of it. */
export function hasToken(row: Row, tokens: readonly bigint[]): boolean {
  const found = new Set(extract(row.projectId, toResource(row), fhirBase()).tokens);
  return tokens.some((token) => found.has(token));
}

/** To a resource, and not to a canonical. */
function isReference(param: SearchParam): boolean {
  return isLink(param) && !isCanonical(param);
}

function tooMany(): AppError {
  const text = '_revinclude=* of so large a page is too costly: ask for a smaller one with _count, or name the types';
  return new AppError('too-costly', text, { expression: '_revinclude' });
}
