import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import { foldCounts } from '#lib/domain/standing/fold-counts.ts';
import { repairStanding } from '#lib/domain/standing/repair-standing.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { db } from '../set-up/own-db.ts';

/**
 * So many members more, by SQL, each with an invitation and its mail: of twenty, fourteen have accepted, two wait, two have expired, one was
 * taken back and of one the mail came back. A tenth reaches everything. Without accounts and profiles, and without what searches go by.
 */
export async function growMembers(projectId: string, count: number): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.execute(sql`
      create temporary table grown on commit drop as
      select gen_random_uuid() as id, gen_random_uuid() as user_id, n, n % 20 as kind,
        case when n % 2 = 0 then 'Patient' else 'Practitioner' end || '/' || gen_random_uuid() as profile, now() - n * interval '1 second' as at
      from generate_series(1, ${count}::int) as n`);
    await tx.execute(sql`
      insert into membership_key (project_id, membership_id, user_ref, profile_ref, active)
      select ${projectId}, id, 'User/' || user_id, profile, kind <> 19 from grown`);
    await tx.execute(sql`
      insert into resource (project_id, type_id, id, version, last_updated, content)
      select ${projectId}, ${typeId('ProjectMembership')}, id::text, 1, at, jsonb_build_object('active', kind <> 19, 'user', jsonb_build_object('reference', 'User/' || user_id),
        'profile', jsonb_build_object('reference', profile, 'display', 'Member ' || n))
        || case when n % 10 > 0 then '{"accessPolicy":{"reference":"AccessPolicy/x"}}' else '{}' end::jsonb from grown`);
    await tx.execute(sql`
      insert into one_time_link (id, kind, user_id, project_id, membership_id, secret_hash, created_at, expires_at, used_at)
      select gen_random_uuid(), 'invite', user_id, ${projectId}, id, '', at, case when kind in (16, 17) then at else at + interval '7 days' end,
        case when kind < 14 then now() end from grown`);
    await tx.execute(sql`
      insert into mail (project_id, id, template, recipient, membership_id, state, created_at)
      select ${projectId}, gen_random_uuid(), 'invite', 'a@example.com', id, case when kind = 18 then 'bounced' else 'sent' end, at from grown`);
  });
  await repairStanding(projectId);
  await foldCounts(projectId);
  await db().execute(sql`update membership_key set profile_gone = false where project_id = ${projectId}`);
  await vacuum(['membership_key', 'member_count', 'one_time_link', 'mail', 'resource_project_membership']);
}

/** Until it has seen to every page: it leaves those alone whose rows an open transaction of another test might still look for. */
async function vacuum(tables: string[]): Promise<void> {
  const list = sql.join(
    tables.map((name) => sql.identifier(name)),
    sql`, `,
  );
  await vi.waitUntil(
    async () => {
      await db().execute(sql`vacuum (analyze) ${list}`);
      const left = await db().execute(
        sql`select 1 from pg_class where oid = any(array[${sql.join(
          tables.map((name) => sql`${name}::regclass`),
          sql`, `,
        )}]) and relallvisible < relpages`,
      );
      return left.length === 0;
    },
    { timeout: 60_000, interval: 200 },
  );
}
