import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

/**
 * What messages said that name a patient by one of these identifiers, or say this id: that they came and ran stays. One that waits to run is not run: it would make the
 * patient anew.
 */
export async function forgetMessages(
  tx: Queryable,
  projectId: string,
  id: string,
  identifiers: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    update hl7_message m set text = null, answer = null, patients = '{}', failure = case when m.state in ('done', 'running') then null else 'What it said was erased' end,
      state = case when m.state = 'waiting' then 'failed' else m.state end
    where m.project_id = ${projectId}::uuid and m.text is not null
      and (m.patients && ${toTextArray(identifiers)}::text[] or position(${id}::text in m.text || coalesce(m.answer, '') || coalesce(m.failure, '')) > 0)`);
}
