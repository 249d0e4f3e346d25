import { db, type Queryable, runText } from '#lib/infra/db/client.ts';

type Of = { projectId: string; systemId: string };

/**
 * The code as a system writes it to which case is nothing (R4 CodeSystem.caseSensitive); undefined where it has none such. The code itself first,
 * which the key finds; what differs is looked for among all of the system's.
 */
export async function findOwnCode(
  { projectId, systemId }: Of,
  code: string,
  q: Queryable = db(),
): Promise<string | undefined> {
  const params = [projectId, systemId, code];
  const [same] = await runText<{ code: string }>(q, `select c.code ${OF_SYSTEM} and c.code = $3`, params);
  const [found] = same ? [same] : await runText<{ code: string }>(q, FOLDED, params);
  return found?.code;
}

const OF_SYSTEM = 'from concept c where c.project_id = $1::uuid and c.system_id = $2';
const FOLDED = `select c.code ${OF_SYSTEM} and lower(c.code collate "und-x-icu") = lower($3::text collate "und-x-icu") order by c.at limit 1`;
