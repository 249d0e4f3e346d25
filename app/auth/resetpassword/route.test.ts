import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { createUser } from '#lib/domain/accounts/create-user.ts';
import { write } from '#lib/domain/audit/write.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { rateCounter } from '#lib/infra/db/schema/identity.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { CTX, makeOwner, type Owner } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let owner: Owner;

beforeAll(async () => {
  owner = await makeOwner();
});

function ask(fields: Record<string, unknown>, remote?: string) {
  return callAuth('POST', '/auth/resetpassword', { body: fields, remote });
}

/** Holds what waits for a timer, until it is told to end. `asked`: how often somebody waited so long. */
function holdTimer() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const spy = vi.spyOn(timers, 'setTimeout').mockReturnValue(promise);
  syncBuiltinESMExports();
  // The test's own polling waits, too.
  const asked = (ms: number) => spy.mock.calls.filter(([each]) => each === ms).length;
  const end = () => {
    spy.mockRestore();
    syncBuiltinESMExports();
    resolve();
  };
  onTestFinished(end);
  return { asked, end };
}

describe('200', () => {
  test('the same answer for an address that is known and one that is not; only the known one gets mail', async () => {
    const stranger = `${newId()}@example.com`;
    const known = await ask({ email: owner.email.toUpperCase() });
    const unknown = await ask({ email: stranger });
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    expect(known.body).toMatchObject({ id: 'ok', issue: [{ details: { text: 'All OK' } }] });
    expect((await waitingMail(owner.email)).map(({ template }) => template)).toEqual(['reset']);
    expect(await waitingMail(stranger)).toEqual([]);
  });

  test('and after the same while: each waits for it, whatever else is done by then', async () => {
    const { email } = await makeOwner();
    for (const address of [email, `${newId()}@example.com`]) {
      const wait = holdTimer();
      let isAnswered = false;
      const answer = ask({ email: address }).finally(() => {
        isAnswered = true;
      });
      const key = hashSecret(`reset:${address}`);
      const asked = () => db().select().from(rateCounter).where(eq(rateCounter.key, key));
      await expect.poll(async () => (await asked()).length).toBe(1);
      await expect.poll(async () => (await waitingMail(address)).length).toBe(address === email ? 1 : 0);
      expect([isAnswered, wait.asked(pace.evenAnswerMs)]).toEqual([false, 1]);
      wait.end();
      expect((await answer).status).toBe(200);
    }
  });

  test('the link works once and for an hour, and the one before ends', async () => {
    const { email, userId } = await makeOwner();
    await ask({ email });
    await ask({ email });
    const [second, first] = (await waitingMail(email)).map(({ params }) => toLink(params.url));
    const [row] = await db().select().from(oneTimeLink).where(eq(oneTimeLink.id, second!.id));
    expect(row).toMatchObject({ kind: 'reset', userId });
    expect(row!.expiresAt.getTime() - row!.createdAt.getTime()).toBe(3_600_000);
    const password = 'Orange-Lantern-88';
    expect((await callAuth('POST', '/auth/setpassword', { body: { ...first, password } })).status).toBe(400);
    expect((await callAuth('POST', '/auth/setpassword', { body: { ...second, password } })).status).toBe(200);
  });

  test('sendEmail false makes the link and mails nothing', async () => {
    const { email, userId } = await makeOwner();
    await ask({ email, sendEmail: false });
    const kind = and(eq(oneTimeLink.userId, userId), eq(oneTimeLink.kind, 'reset'));
    expect(await db().select().from(oneTimeLink).where(kind)).toHaveLength(1);
    expect(await waitingMail(email)).toEqual([]);
  });

  test('a link that nobody is told of ends none that somebody was told of', async () => {
    const { email } = await makeOwner();
    await ask({ email });
    await ask({ email, sendEmail: false });
    const [sent] = await waitingMail(email);
    const password = 'Orange-Lantern-88';
    const answer = await callAuth('POST', '/auth/setpassword', { body: { ...toLink(sent!.params.url), password } });
    expect(answer.status).toBe(200);
  });

  test('a project’s own person of this address comes before the server-wide one, only in that project', async () => {
    const { email, projectId, userId } = await makeOwner();
    const person = { scope: projectId, firstName: 'Own', lastName: 'Person', email };
    const own = await write(CTX, (w) => createUser(w, person));
    const userOf = async () => {
      const [sent] = await waitingMail(email);
      const [row] = await db()
        .select()
        .from(oneTimeLink)
        .where(eq(oneTimeLink.id, toLink(sent?.params.url).id));
      return row?.userId;
    };
    await ask({ email, projectId });
    expect(await userOf()).toBe(own.id);
    await ask({ email, projectId: newId() });
    expect(await userOf()).toBe(userId);
  });
});

test('400 for what is no address', async () => {
  for (const email of [undefined, '', 'x', 'a@b', 7, `a@b.de\r\nBcc: c@d.de`, `${'x'.repeat(70)}@b.de`]) {
    const { status, body } = await ask({ email });
    expect([status, body.issue[0].expression]).toEqual([400, ['email']]);
  }
});

describe('429', () => {
  test('the sixth for one address, known or not', async () => {
    for (const email of [(await makeOwner()).email, `${newId()}@example.com`]) {
      await Promise.all(Array.from({ length: 5 }, () => ask({ email })));
      const { status, headers } = await ask({ email });
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    }
  });

  test('the thirty-first from one place, for whatever addresses', async () => {
    const stranger = () => ask({ email: `${newId()}@example.com` }, '10.200.0.1');
    const before = await Promise.all(Array.from({ length: 30 }, stranger));
    expect(before.every(({ status }) => status === 200)).toBe(true);
    expect((await stranger()).status).toBe(429);
  });
});
