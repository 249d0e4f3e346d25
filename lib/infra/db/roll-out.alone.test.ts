import { type SQL, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { asUpgraded } from '#lib/testing/set-up/as-upgraded.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { PLACEMENT } from './cluster/placement.ts';

beforeAll(asUpgraded);

type Tx = Parameters<Parameters<ReturnType<typeof db>['transaction']>[0]>[0];

/** Leaves nothing behind. */
async function tried(run: (tx: Tx) => Promise<void>): Promise<void> {
  const over = new Error('over');
  await db()
    .transaction(async (tx) => {
      await run(tx);
      throw over;
    })
    .catch((error) => {
      if (error !== over) throw error;
    });
}

const one = async (tx: Tx, text: SQL) => (await tx.execute(text))[0];

/** As the release before writes it: what waits stands in no project. */
function login(
  id: string,
  user: string,
  { projectId, membershipId }: { projectId?: string; membershipId?: string } = {},
) {
  return sql`insert into login (id, user_ref, auth_method, auth_time, scope, project_id, membership_id)
    values (${id}, ${user}, 'client', now(), 'openid', ${projectId ?? null}, ${membershipId ?? null})`;
}

const cutOff = (user: string) => sql`insert into login_cutoff (user_ref, at) values (${user}, now())
  on conflict (user_ref) do update set at = excluded.at`;

const member = (user: string, projectId: string, membershipId: string) =>
  sql`insert into membership_key (project_id, membership_id, user_ref, profile_ref, active, admin, slot)
    values (${projectId}, ${membershipId}, ${user}, 'Practitioner/x', true, false, '')`;

test('what the release before writes has its project, while it still serves', async () => {
  const [client, projectId, person, membershipId] = [newId(), newId(), newId(), newId()];
  await tried(async (tx) => {
    await tx.execute(login(newId(), `User/${person}`));
    await tx.execute(login(newId(), `ClientApplication/${client}`, { projectId, membershipId }));
    for (const user of [client, client, newId()]) await tx.execute(cutOff(`ClientApplication/${user}`));
    expect(
      await tx.execute(
        sql`select project_id, user_ref from login_cutoff where project_id = ${projectId} or project_id is null`,
      ),
    ).toEqual([{ project_id: projectId, user_ref: `ClientApplication/${client}` }]);
    await tx.execute(member(`User/${person}`, projectId, membershipId));
    expect(await one(tx, sql`select project_id from user_project where user_id = ${person}`)).toEqual({
      project_id: projectId,
    });
  });
});

test('what it brings back does not end', async () => {
  const [person, projectId, membershipId, linkId] = [newId(), newId(), newId(), newId()];
  await tried(async (tx) => {
    await tx.execute(sql`insert into credential (user_id, password_hash, ended_at) values (${person}, 'x', now())`);
    await tx.execute(sql`insert into one_time_link (id, kind, user_id, project_id, membership_id, secret_hash, expires_at, membership_ended_at)
      values (${linkId}, 'invite', ${person}, ${projectId}, ${membershipId}, 'x', now(), now())`);
    await tx.execute(
      sql`insert into user_login (user_id, scope, email_lower) values (${person}, ${projectId}, 'back@example.com')`,
    );
    await tx.execute(member(`User/${person}`, projectId, membershipId));
    const ended = sql`select c.ended_at, l.membership_ended_at from credential c join one_time_link l on l.user_id = c.user_id where c.user_id = ${person}`;
    expect(await one(tx, ended)).toEqual({ ended_at: null, membership_ended_at: null });
  });
});

test('when it serves no more, a login has its project in its key, and nothing is left of what helped', async () => {
  const [waiting, limited, person, projectId] = [newId(), newId(), `User/${newId()}`, newId()];
  await tried(async (tx) => {
    await tx.execute(login(waiting, person));
    await tx.execute(login(limited, person, { projectId }));
    for (const _ of ['once', 'and again']) await tx.execute(sql`select end_of_roll_out()`);
    expect(
      await tx.execute(
        sql`select project_id::text ~ '^[0-]+$' as waits, limited_to from login where user_ref = ${person} order by limited_to`,
      ),
    ).toEqual([
      { waits: true, limited_to: projectId },
      { waits: true, limited_to: null },
    ]);
    expect(
      await one(
        tx,
        sql`select string_agg(pg_get_constraintdef(oid), '; ' order by conname) as keys from pg_constraint
      where contype = 'p' and conrelid in ('login'::regclass, 'login_cutoff'::regclass)`,
      ),
    ).toEqual({
      keys: 'PRIMARY KEY (project_id, user_ref); PRIMARY KEY (project_id, id)',
    });
    expect(
      await one(tx, sql`select count(*)::int as left from pg_trigger where not tgisinternal and tgname like '%before'`),
    ).toEqual({ left: 0 });
  });
});

test('when it is over, what lies with its project always has one, and is unique within it', async () => {
  await tried(async (tx) => {
    await tx.execute(sql`select end_of_roll_out()`);
    const found = await tx.execute<{ name: string; is_fit: boolean }>(sql`
      select t.relname as name, bool_and(coalesce(a.attnotnull and a.atttypid = 'uuid'::regtype, false) and not exists (
        select from pg_index i where i.indrelid = t.oid and i.indisunique and a.attnum <> all(i.indkey::int2[]))) as is_fit
      from pg_class t left join pg_attribute a on a.attrelid = t.oid and a.attname = 'project_id'
      where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition group by t.relname`);
    const spread = found.filter(({ name }) => PLACEMENT[name as keyof typeof PLACEMENT] === 'distributed');
    expect(spread.length).toBeGreaterThan(10);
    expect(spread.filter(({ is_fit: isFit }) => !isFit)).toEqual([]);
  });
});
