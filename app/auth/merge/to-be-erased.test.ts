import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId, newSecret, SERVER_SCOPE } from '#lib/base/ids.ts';
import { applyDueChanges } from '#lib/domain/people/apply-change.ts';
import { PLACEMENT } from '#lib/infra/db/cluster/placement.ts';
import { accountChange } from '#lib/infra/db/schema/account-change.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { type Enrolled, enrollTotp } from '#lib/testing/factors.ts';
import { CTX, makePerson, type Owner, PASSWORD } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

type Person = Owner & Enrolled;

const DAY_MS = 86_400_000;
const call = (by: Person, path: string, body: unknown) => callApi(`Bearer ${by.access}`, 'POST', path, { body });
const confirm = (by: Person, handle: string) => call(by, '/auth/merge/confirm', { handle });
const due = () => applyDueChanges(CTX, undefined, new Date(Date.now() + 15 * DAY_MS));

/** A member who owns nothing: nothing stands against the end of their account. */
async function guest(world: World): Promise<Person> {
  const person = await makePerson();
  await db().execute(sql`
    update resource set content = content || '{"emailVerified":true}' where project_id = ${SERVER_SCOPE} and id = ${person.userId}`);
  const member = await world.invite({ email: person.email, scope: 'server' });
  const owner = { ...person, projectId: world.projectId, membershipId: member.id };
  return { ...owner, ...(await enrollTotp(owner)) };
}

async function shown(by: Person, of: Person): Promise<string> {
  const begun = await call(by, '/auth/merge', { email: of.email, password: PASSWORD });
  expect(begun.status, begun.text).toBe(200);
  const { handle } = begun.body;
  await call(by, '/auth/merge/verify', { handle, token: of.app.next() });
  return handle;
}

/** As it stands when its person has asked for it. */
async function askErasure({ userId }: Person): Promise<void> {
  const [dueAt, expiresAt] = [new Date(Date.now() + 14 * DAY_MS), new Date(Date.now() + 21 * DAY_MS)];
  const asked = { kind: 'erase', userId, scope: SERVER_SCOPE, detail: {}, askedBy: `User/${userId}` } as const;
  const hashes = { stopHash: newSecret(), confirmHash: newSecret() };
  await db()
    .insert(accountChange)
    .values({ ...asked, ...hashes, id: newId(), dueAt, expiresAt });
}

async function outcomeOf({ userId }: Person): Promise<string | null | undefined> {
  const [row] = await db().select().from(accountChange).where(eq(accountChange.userId, userId));
  return row?.outcome;
}

test('an account that is to be erased takes in no other: what came over would go with it', async () => {
  const world = await createWorld();
  const [a, b] = [await guest(world), await guest(world)];
  await askErasure(a);
  const handle = await shown(a, b);
  const refused = await confirm(a, handle);
  expectOutcome(refused, 409);
  expect(refused.text).toContain('Your account is to be erased: take that back first');
});

test('the erasure of an account that is taken in ends with it', async () => {
  const world = await createWorld();
  const [a, b] = [await guest(world), await guest(world)];
  await askErasure(b);
  expect((await confirm(a, await shown(a, b))).status).toBe(200);
  expect(await outcomeOf(b)).toBe('cancelled');
});

test('erased and taken in at once it is one of both, whole', async () => {
  for (let at = 0; at < 4; at++) {
    const world = await createWorld();
    const [a, b] = [await guest(world), await guest(world)];
    const handle = await shown(a, b);
    await askErasure(b);
    const [answer] = await Promise.all([confirm(a, handle), due()]);
    expect([200, 400, 409]).toContain(answer.status);
    await due();
    expect(await outcomeOf(b)).toBe(answer.status === 200 ? 'cancelled' : 'done');
    const keys = await db().execute(sql`
      select user_ref from membership_key where project_id = ${world.projectId} and membership_id = ${b.membershipId}`);
    expect(keys).toEqual(answer.status === 200 ? [{ user_ref: `User/${a.userId}` }] : []);
  }
});

test('with an account goes what is left of those that it took in, and of those that these did', async () => {
  const [{ begun } = {}] = await db().execute(sql`select pg_current_xact_id()::xid::text as begun`);
  const world = await createWorld();
  const [a, b, c] = [await guest(world), await guest(world), await guest(world)];
  expect((await confirm(b, await shown(b, c))).status).toBe(200);
  expect((await confirm(a, await shown(a, b))).status).toBe(200);
  expect((await call(a, '/auth/erasure', { confirm: a.email })).status).toBe(202);
  await due();
  const addresses = [a, b, c].map(({ email }) => email.toLowerCase()).join('|');
  for (const table of Object.keys(PLACEMENT).filter((name) => name !== 'audit_event')) {
    // What other tests wrote before is not looked through. The records are the project's, and stay.
    const rows = await db().execute(sql`
      select 1 from ${sql.identifier(table)} t where age(t.xmin) <= age(${begun}::xid)
        and coalesce(to_jsonb(t) ->> 'type_id', '') <> ${String(typeId('Practitioner'))}
        and lower(to_jsonb(t)::text) ~ ${addresses} limit 1`);
    expect([table, rows.length]).toEqual([table, 0]);
  }
});
