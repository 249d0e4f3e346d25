import { type SQL, sql } from 'drizzle-orm';
import { isCanonical } from '#lib/protocol/fhir/index/reference-tokens.ts';
import type { Expr, Link } from '#lib/protocol/fhir/search/ir.ts';
import { isNamedByAny, namesAny } from './compile-canonical.ts';
import { isReferredBy, refersTo } from './compile-link.ts';

type Compile = (type: string, filter: Expr) => SQL;

/**
 * That a link of a policy holds of row `r`, of this type, of which nothing but its id and content is read: asked of each row, of all that the project
 * has. `compile`: a filter, as a condition on row `r` of the type that it names.
 */
export function compileRelated(projectId: string, type: string, links: readonly Link[], compile: Compile): SQL {
  const each = links.map((link) => {
    const { condition, param } = link;
    const fits =
      'filter' in condition
        ? compile(link.type, condition.filter)
        : compileRelated(projectId, link.type, condition.anyOf, compile);
    const such = { projectId, type: link.type, fits };
    if (link.way === 'to') return isCanonical(param) ? namesAny(such, param) : refersTo(such, param);
    return isCanonical(param) ? isNamedByAny(such, param, type) : isReferredBy(such, param, type);
  });
  return sql`(${sql.join(each, sql.raw(' or '))})`;
}
