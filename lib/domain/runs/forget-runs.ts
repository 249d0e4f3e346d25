import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { namedInHl7 } from '#lib/infra/db/named-in-hl7.ts';

/** What bots were given, asked for, said and answered, where something of it names this: that they ran stays. */
export async function forgetRuns(tx: Queryable, projectId: string, name: string): Promise<void> {
  await tx.execute(sql`
    update bot_run set message = null, logs = null, failure = null, input = null, input_headers = null, output = null, calls = null
    where project_id = ${projectId}::uuid
      and position(${name}::text in concat(message, failure, logs::text, input, input_headers::text, output, calls::text)) > 0`);
  await tx.execute(sql`
    delete from async_job where project_id = ${projectId}::uuid and finished_at is not null
      and position(${name}::text in request || coalesce(output, '')) > 0`);
}

/** The same of runs that were given, or answered, a message of HL7 v2 which names a patient by one of these: it has no ids of ours. Of jobs, any text. */
export async function forgetRunsOn(tx: Queryable, projectId: string, identifiers: readonly string[]): Promise<void> {
  if (identifiers.length === 0) return;
  await tx.execute(sql`
    update bot_run set message = null, logs = null, failure = null, input = null, input_headers = null, output = null, calls = null
    where project_id = ${projectId}::uuid
      and (input_type = 'hl7' and ${namedInHl7(sql`input`, identifiers)}
        or output_type = 'hl7' and ${namedInHl7(sql`output`, identifiers)})`);
  // What jsonb cannot take is no answer that anybody misses.
  await tx.execute(sql`
    delete from async_job where project_id = ${projectId}::uuid and output like '%MSH%'
      and case when position(${'\\u0000'} in output) > 0 then true else exists (
        select from jsonb_path_query(output::jsonb, 'strict $.** ? (@.type() == "string")') as t(value)
        where ${namedInHl7(sql`t.value #>> '{}'`, identifiers)}) end`);
}
