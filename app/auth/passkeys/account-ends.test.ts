import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { over } from '#lib/domain/webauthn/over.ts';
import { passkey, passkeyChallenge } from '#lib/infra/db/schema/passkey.ts';
import { sweep } from '#lib/infra/db/sweep.ts';
import { type Accepted, acceptedMember, auditOf, operateUser } from '#lib/testing/accounts.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addPasskey, offered, signInBy } from '#lib/testing/devices/passkeys.ts';
import { makeLink, waitingMail } from '#lib/testing/links.ts';
import { makeOwner } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});

const rowsOf = (userId: string) => db().select().from(passkey).where(eq(passkey.userId, userId));
const add = (member: Accepted) => addPasskey({ ...member, membershipId: member.id, projectId: world.projectId });

test('with the account it ends; it comes back with it, or goes when that no longer can', async () => {
  const [back, gone] = [await acceptedMember(world), await acceptedMember(world)];
  const [{ key }, { key: other }] = [await add(back), await add(gone)];
  for (const { id } of [back, gone]) expect((await world.call('DELETE', `/members/${id}`)).status).toBe(200);
  for (const each of [key, other]) expect((await signInBy(each)).status).toBe(400);
  await db()
    .update(passkey)
    .set({ endedAt: new Date(Date.now() - 31 * 86_400_000) })
    .where(eq(passkey.userId, gone.userId));
  await sweep(over());
  expect([await rowsOf(back.userId), await rowsOf(gone.userId)]).toMatchObject([[{ endedAt: expect.any(Date) }], []]);
  expect((await world.call('POST', `/members/${back.id}/undo`, { body: { version: 1 } })).status).toBe(200);
  expect((await signInBy(key)).status).toBe(200);
});

test('an own User that becomes global leaves it behind: an administrator may have set the password it was added with', async () => {
  const member = await acceptedMember(world);
  const { key } = await add(member);
  expect((await operateUser(world.owner.bearer, member.userId, 'rescope', { scope: 'global' })).status).toBe(200);
  expect(await rowsOf(member.userId)).toEqual([]);
  expect((await signInBy(key)).status).toBe(400);
});

test('whoever proves the address of an account first puts out those who were there before; after that a new password leaves them', async () => {
  const person = await makeOwner();
  const setPassword = async () => {
    const link = await makeLink({ kind: 'reset', userId: person.userId });
    return callAuth('POST', '/auth/setpassword', { body: { ...link, password: 'Orange-Lantern-88' } });
  };
  const { key: squatter } = await addPasskey(person);
  expect((await setPassword()).status).toBe(200);
  expect((await signInBy(squatter)).status).toBe(400);
  expect(await auditOf(SERVER_SCOPE, `User/${person.userId}`)).toContain('user.passkey.remove');
  expect((await waitingMail(person.email)).map(({ template }) => template)).toContain('passkey-removed');
  const { key: own } = await addPasskey(person);
  expect((await setPassword()).status).toBe(200);
  expect((await signInBy(own)).status).toBe(200);
});

test('challenges go when their time is over', async () => {
  await offered();
  await db()
    .update(passkeyChallenge)
    .set({ expiresAt: new Date(Date.now() - 1000) });
  await sweep(over());
  expect(await db().select().from(passkeyChallenge)).toEqual([]);
});
