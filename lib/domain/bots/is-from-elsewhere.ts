import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { NO_FILES, sqlDraftFiles } from './draft/source-code.ts';

/** How far back drafts are looked for; code that was a draft before that counts as foreign, which costs a question. */
const MOST = 100;

/**
 * Whether the code that runs was never the bot's draft: it was deployed past it, over the API or by a command line tool. The draft then
 * does not stand on what runs, and deploying it would replace what its author may never have seen.
 */
export async function isFromElsewhere(projectId: string, botId: string): Promise<boolean> {
  const [found] = await db().execute<{ elsewhere: boolean }>(sql`
    select not exists (
      select from (
        select content::jsonb->'sourceCode' as draft from resource_history
        where project_id = ${projectId} and type_id = ${typeId('Bot')} and id = ${botId} and content is not null
        order by version desc limit ${MOST}) as h
      left join binary_content b on b.project_id = ${projectId} and b.id =
        (case when h.draft->>'url' ~ '^Binary/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(h.draft->>'url', 8) end)::uuid
      left join binary_file f on f.project_id = ${projectId} and f.state = 'kept' and f.until is null and f.binary_id =
        (case when h.draft->>'url' ~ '^Binary/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(h.draft->>'url', 8) end)::uuid
      where (v.files is not null and v.files_hash is null
          or coalesce(${sqlDraftFiles('h.draft')}, ${NO_FILES}) = coalesce(v.files_hash, ${NO_FILES}))
        and (f.sha256 = encode(sha256(convert_to(v.source, 'UTF8')), 'hex') or translate(coalesce(h.draft->>'data', encode(b.data, 'base64'), ''), E' \\n\\r\\t', '')
        = translate(encode(convert_to(v.source, 'UTF8'), 'base64'), E'\\n', ''))
    ) as elsewhere
    from bot_deployment d
    join bot_version v on v.project_id = ${projectId} and v.bot_id = d.bot_id and v.number = d.number
    where d.project_id = ${projectId} and d.bot_id = ${botId}`);
  return found?.elsewhere ?? false;
}
