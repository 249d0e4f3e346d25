import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { rateCounter } from '#lib/infra/db/schema/identity.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { makePerson } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

let email: string;
let mailed: { id: string; secret: string };
let code: string;
let wrong: string;

beforeEach(async () => {
  ({ email } = await makePerson());
  await callAuth('POST', '/auth/resetpassword', { body: { email } });
  const [mail] = await waitingMail(email);
  mailed = toLink(mail?.params.url);
  code = mail?.params.code ?? '';
  wrong = code === '000000' ? '000001' : '000000';
});

function redeem(body: Record<string, unknown>, remote?: string) {
  return callAuth('POST', '/auth/link/code', { body, remote });
}

test('the code of the mail and its address become the link, as often as typed; the mailed one goes on working', async () => {
  expect(code).toMatch(/^\d{6}$/);
  for (const typed of [code, `${code.slice(0, 3)} ${code.slice(3)}`]) {
    const { status, body } = await redeem({ email: email.toUpperCase(), code: typed });
    expect(status).toBe(200);
    expect(body).toEqual({ type: 'reset', id: mailed.id, secret: expect.any(String) });
    expect(body.secret).not.toBe(mailed.secret);
    expect((await callAuth('POST', '/auth/link', { body })).body.state).toBe('open');
  }
  expect((await callAuth('POST', '/auth/link', { body: mailed })).body.state).toBe('open');
});

test('a double press gives the same secret twice, and either answer works', async () => {
  const [one, two] = await Promise.all([redeem({ email, code }), redeem({ email, code })]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body).toEqual(two.body);
  expect((await callAuth('POST', '/auth/link', { body: one.body })).body.state).toBe('open');
});

test('it sets the password once; then neither secret nor code is worth anything', async () => {
  const { body: link } = await redeem({ email, code });
  const password = 'Copper-Window-77';
  expect((await callAuth('POST', '/auth/setpassword', { body: { ...link, password } })).status).toBe(200);
  expect((await callAuth('POST', '/auth/setpassword', { body: { ...mailed, password } })).status).toBe(400);
  expect((await redeem({ email, code })).status).toBe(400);
});

test('wrong code, wrong address, used, superseded, expired and handed over: one and the same answer', async () => {
  const other = await makePerson();
  const answers = [await redeem({ email, code: wrong }), await redeem({ email: 'nobody@example.com', code })];
  answers.push(await redeem({ email: other.email, code }));
  for (const change of [{ supersededAt: new Date() }, { expiresAt: new Date(0) }, { handedAt: new Date() }]) {
    await db().update(oneTimeLink).set(change).where(eq(oneTimeLink.id, mailed.id));
    answers.push(await redeem({ email, code }));
    const back = { supersededAt: null, handedAt: null, expiresAt: new Date(Date.now() + 60_000) };
    await db().update(oneTimeLink).set(back).where(eq(oneTimeLink.id, mailed.id));
  }
  const [first] = answers;
  expect(first?.status).toBe(400);
  expect(first?.body.issue).toMatchObject([{ code: 'invalid', expression: ['code'] }]);
  for (const answer of answers) expect([answer.status, answer.body.issue]).toEqual([400, first?.body.issue]);
});

test('five wrong guesses end the code, also when made at once; the link itself still works', async () => {
  const guesses = await Promise.all(Array.from({ length: 8 }, () => redeem({ email, code: wrong })));
  expect(guesses.map(({ status }) => status)).toEqual(Array(8).fill(400));
  expect((await redeem({ email, code })).status).toBe(400);
  expect((await callAuth('POST', '/auth/link', { body: mailed })).body.state).toBe('open');
});

test('what is no code, and no address, names the field; a flood is 429', async () => {
  expect((await redeem({ email, code: '12345' })).body.issue[0].expression).toEqual(['code']);
  expect((await redeem({ email: 'x', code })).body.issue[0].expression).toEqual(['email']);
  let last = 0;
  for (let round = 0; round < 26; round++) last = (await redeem({ email, code: wrong })).status;
  expect(last).toBe(429);
});

test('guesses count for the person over all their links, for thirty days; a right one is no guess', async () => {
  const counter = eq(rateCounter.key, hashSecret(`code:${email}`));
  await redeem({ email, code: wrong });
  await db().update(rateCounter).set({ count: 24 }).where(counter);
  for (let round = 0; round < 3; round++) expect((await redeem({ email, code })).status).toBe(200);
  expect((await redeem({ email, code: wrong })).status).toBe(400);
  const { status, headers } = await redeem({ email, code });
  expect([status, Number(headers.get('retry-after')) > 29 * 86_400]).toEqual([429, true]);
  expect((await callAuth('POST', '/auth/link', { body: mailed })).body.state).toBe('open');
});

test('of all mails to a person the newest has the code; the links of the others go on working', async () => {
  const [one, two] = [await createWorld(), await createWorld()];
  for (const world of [one, two]) await world.invite({ email, scope: 'server' });
  const [newest, older] = await waitingMail(email);
  expect((await redeem({ email, code: older?.params.code })).status).toBe(400);
  expect((await redeem({ email, code })).status).toBe(400);
  expect((await redeem({ email, code: newest?.params.code })).body.id).toBe(toLink(newest?.params.url).id);
  expect((await callAuth('POST', '/auth/link', { body: toLink(older?.params.url) })).body.state).toBe('open');
});

test('a link that is not mailed has no code, and leaves that of the mail', async () => {
  const world = await createWorld();
  const { user } = await world.invite({ email, scope: 'server', sendEmail: false });
  await callAuth('POST', '/auth/resetpassword', { body: { email, sendEmail: false } });
  const rows = await db()
    .select()
    .from(oneTimeLink)
    .where(eq(oneTimeLink.userId, user.reference.slice(5)));
  const coded = rows.map((row) => [row.kind, row.codeHash !== null]);
  expect(coded.sort()).toEqual([
    ['invite', false],
    ['reset', false],
    ['reset', true],
  ]);
  expect((await redeem({ email, code })).status).toBe(200);
});

test('the database holds neither the code nor a plain hash of it', async () => {
  const [row] = await db().select().from(oneTimeLink).where(eq(oneTimeLink.id, mailed.id));
  expect(JSON.stringify(row)).not.toContain(code);
  expect(row?.codeHash).toHaveLength(43);
});
