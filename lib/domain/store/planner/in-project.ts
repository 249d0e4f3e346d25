import { type SQL, sql } from 'drizzle-orm';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { isNamedOften } from './is-named-often.ts';

/** `isLed`: by a token that tells its project. */
export function inProject(projectId: string, isLed: boolean): SQL {
  if (!isLed) return sql`r.project_id = ${projectId}::uuid`;
  return isNamedOften(sql`r.project_id`, projectId);
}

/** As text: then the planner sees one partition, and its statistics. */
export function ofType(type: string): SQL {
  return sql.raw(`r.type_id = ${typeId(type)}`);
}
