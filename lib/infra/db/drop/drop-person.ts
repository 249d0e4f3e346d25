import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../client.ts';
import { toTextArray } from '../text-array.ts';

/** By account. */
const OF_PEOPLE = [
  'credential',
  'factor',
  'factor_code',
  'known_device',
  'one_time_link',
  'passkey',
  'recovery_code',
  'sign_in_link',
  'user_login',
  'user_project',
] as const;

/** By project, and there by "User/id". */
const OF_MEMBERS = ['api_key', 'consent', 'login'] as const;

const ERASED = 'An erased person';

/** What these accounts sign in with, and where they are. */
export async function dropPeople(q: Queryable, ids: readonly string[]): Promise<void> {
  for (const table of OF_PEOPLE)
    await q.execute(sql`delete from ${sql.identifier(table)} where user_id = any(${toTextArray(ids)}::uuid[])`);
}

/**
 * What a project has of a person beside their records: sessions, keys, consents and mail go; a bulk job says what was done, and no longer to whom.
 * `emails`: in small letters, all that they had.
 */
export async function dropMember(
  q: Queryable,
  projectId: string,
  { userId, emails, memberships }: { userId: string; emails: readonly string[]; memberships: readonly string[] },
): Promise<void> {
  const [addresses, ids] = [toTextArray(emails), toTextArray(memberships)];
  for (const table of OF_MEMBERS)
    await q.execute(sql`
      delete from ${sql.identifier(table)} where project_id = ${projectId}::uuid and user_ref = ${`User/${userId}`}`);
  await q.execute(sql`
    delete from ${sql.identifier('mail')} where project_id = ${projectId}::uuid
      and (lower(recipient) = any(${addresses}::text[]) or membership_id = any(${ids}::uuid[]))`);
  const whose = toTextArray(emails.map((email) => `<${email}>`));
  await q.execute(sql`
    update ${sql.identifier('bulk_job_row')} r set who = ${ERASED}, message = null
    where project_id = ${projectId}::uuid and (state <> 'waiting' or exists (
        select from ${sql.identifier('bulk_job')} j where j.project_id = ${projectId}::uuid and j.id = r.job_id and j.finished_at is not null))
      and (membership_id = any(${ids}::uuid[]) or lower(substring(who from '<[^<>]*>$')) = any(${whose}::text[]))`);
  await q.execute(sql`
    update ${sql.identifier('access_review_row')} set who = ${ERASED}, note = null, message = null
    where project_id = ${projectId}::uuid and membership_id = any(${ids}::uuid[])`);
  await q.execute(sql`
    update ${sql.identifier('access_request')} set reason = '', answer = null
    where project_id = ${projectId}::uuid and membership_id = any(${ids}::uuid[])`);
  await q.execute(sql`
    update ${sql.identifier('break_glass')} set reason = '' where project_id = ${projectId}::uuid and membership_id = any(${ids}::uuid[])`);
  await q.execute(sql`
    update ${sql.identifier('break_glass')} set note = '', closer_display = ${ERASED}
    where project_id = ${projectId}::uuid and closer_membership = any(${ids}::uuid[])`);
  // What they answered others is theirs, too.
  await q.execute(sql`
    update ${sql.identifier('access_request')} set answer = null, decided_by_display = ${ERASED}
    where project_id = ${projectId}::uuid and decided_by_membership = any(${ids}::uuid[])`);
  await q.execute(sql`
    update ${sql.identifier('member_view')} set reason = ''
    where project_id = ${projectId}::uuid and membership_id = any(${ids}::uuid[])`);
  await q.execute(sql`
    update ${sql.identifier('member_view')} set reason = '', viewer_display = ${ERASED}
    where project_id = ${projectId}::uuid and viewer_id = any(${ids}::uuid[])`);
  await q.execute(sql`
    update ${sql.identifier('bot_alert')} set recipients = nullif(array(select r from unnest(recipients) r where lower(r) <> all(${addresses}::text[])), '{}')
    where project_id = ${projectId}::uuid and recipients is not null`);
  await dropTold(q, projectId, toTextArray([...emails, ...memberships].map(asWhole)));
}

/** The name by itself, and not within a longer one, as an expression of PostgreSQL. */
function asWhole(name: string): string {
  return `(^|[^a-z0-9._%+-])${name.replace(/[^a-z0-9]/g, '\\$&')}($|[^a-z0-9.-]|[.]($|[^a-z0-9]))`;
}

/** What bots were told of the mails of these, by their addresses and the ids of their memberships: that they ran stays. `names`: expressions. */
async function dropTold(q: Queryable, projectId: string, names: string): Promise<void> {
  const hasOne = (text: SQL) => sql`lower(${text}) ~ any(${names}::text[])`;
  await q.execute(sql`
    update ${sql.identifier('bot_run')} set message = null, logs = null, failure = null, input = null, input_headers = null, output = null, calls = null
    where project_id = ${projectId}::uuid and trigger in ('mail', 'replay')
      and ${hasOne(sql`concat(message, failure, logs::text, input, input_headers::text, output, calls::text)`)}`);
  // A letter has the id of its event.
  await q.execute(sql`
    with gone as (
      update ${sql.identifier('bot_event')} set state = 'ended', input = null, ended_at = coalesce(ended_at, now())
      where project_id = ${projectId}::uuid and trigger = 'mail' and ${hasOne(sql`input`)} returning id)
    delete from ${sql.identifier('dead_letter')} where project_id = ${projectId}::uuid and id in (select id from gone)`);
}

/** What the mailbox of a server that sends no mail shows. */
export async function dropShownMail(q: Queryable, emails: readonly string[]): Promise<void> {
  await q.execute(
    sql`delete from ${sql.identifier('dev_mail')} where lower(recipient) = any(${toTextArray(emails)}::text[])`,
  );
}
