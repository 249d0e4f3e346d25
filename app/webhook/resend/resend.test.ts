import { createHmac, randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { POST } from './route.ts';

const key = randomBytes(24);
afterAll(changeSettings({ RESEND_WEBHOOK_SECRET: `whsec_${key.toString('base64')}` }));

type Sent = { id: string; projectId: string; providerId: string };

async function makeMail(projectId: string = newId()): Promise<Sent> {
  const sent = { id: newId(), projectId, providerId: newId() };
  await db()
    .insert(mail)
    .values({ ...sent, template: 'invite', recipient: 'a@example.com', state: 'sent', attempts: 1 });
  return sent;
}

async function stateOf({ id }: Sent) {
  const [row] = await db().select({ state: mail.state, error: mail.error }).from(mail).where(eq(mail.id, id));
  return row;
}

/** Signed as Svix documents it: `id.timestamp.body`. */
async function send(event: unknown, change: { age?: number; key?: Buffer; headers?: Record<string, string> } = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const [id, timestamp] = [`msg_${newId()}`, String(Math.floor(Date.now() / 1000) - (change.age ?? 0))];
  const signature = createHmac('sha256', change.key ?? key)
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  const headers = {
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': `v1,${signature}`,
    ...change.headers,
  };
  const request = new Request('http://localhost:3999/webhook/resend', { method: 'POST', body, headers });
  return (await POST(request, { params: Promise.resolve({}) })).status;
}

function event(type: string, { providerId }: Sent, data: Record<string, unknown> = {}) {
  return { type: `email.${type}`, created_at: new Date().toISOString(), data: { email_id: providerId, ...data } };
}

test('what Resend says of a mail is what the mail says', async () => {
  const [delivered, bounced, complained] = [await makeMail(), await makeMail(), await makeMail()];
  expect(await send(event('delivered', delivered))).toBe(200);
  expect(
    await send(
      event('bounced', bounced, { bounce: { message: 'No such mailbox', type: 'Permanent', subType: 'General' } }),
    ),
  ).toBe(200);
  expect(await send(event('complained', complained))).toBe(200);
  expect(await stateOf(delivered)).toEqual({ state: 'delivered', error: null });
  expect(await stateOf(bounced)).toEqual({ state: 'bounced', error: 'No such mailbox' });
  expect(await stateOf(complained)).toEqual({ state: 'complained', error: 'complained' });
});

test('events in any order leave the worst', async () => {
  const sent = await makeMail();
  await send(event('delivery_delayed', sent));
  expect(await stateOf(sent)).toEqual({ state: 'sent', error: expect.stringContaining('delayed') });
  await send(event('complained', sent));
  await send(event('bounced', sent));
  await send(event('delivered', sent));
  await send(event('opened', sent));
  expect((await stateOf(sent))?.state).toBe('complained');
});

test('a mail of somebody else, an event without a mail and one of no form at all are taken without a word', async () => {
  expect(await send(event('delivered', { id: '', projectId: '', providerId: newId() }))).toBe(200);
  expect(await send({ type: 'contact.created', data: {} })).toBe(200);
  expect(await send({ type: 7, data: null })).toBe(200);
  expect(await send('[]')).toBe(200);
});

test.each([
  ['another key', { key: randomBytes(24) }],
  ['six minutes old', { age: 360 }],
  ['from the future', { age: -360 }],
  ['no signature', { headers: { 'svix-signature': '' } }],
  ['another id', { headers: { 'svix-id': 'msg_other' } }],
  ['an unknown version', { headers: { 'svix-signature': 'v2,AAAA' } }],
  ['no number', { headers: { 'svix-timestamp': 'x' } }],
])('signed with %s it is refused, and changes nothing', async (_, change) => {
  const sent = await makeMail();
  expect(await send(event('delivered', sent), change)).toBe(400);
  expect((await stateOf(sent))?.state).toBe('sent');
});

test('the invites of a project show it', async () => {
  const world = await createWorld();
  const invited = await world.invite();
  const providerId = newId();
  await db().update(mail).set({ state: 'sent', providerId }).where(eq(mail.membershipId, invited.id));
  await send(event('bounced', { id: '', projectId: '', providerId }, { bounce: { message: 'Mailbox full' } }));
  const { rows } = (await world.call('GET', '/invites?status=failed')).body;
  expect(rows).toHaveLength(1);
  expect(rows[0].delivery).toMatchObject({ state: 'bounced', error: 'Mailbox full' });
});

test.each([
  ['bounced', { bounce: { message: 'Mailbox full' } }],
  ['complained', {}],
])(
  'a mail that %s says so also where its bot cannot be told yet; said again, the bot is told, once',
  async (state, data) => {
    const world = await createWorld();
    const bot = await deployedBot(world, 'export async function handler() {}');
    const body = [{ name: 'botMailBounces', valueString: `Bot/${bot}` }];
    expect((await world.call('POST', '/settings', { body })).status).toBe(200);
    await db().execute(sql`insert into bot_event (project_id, id, bot_id, trigger, key)
    select ${world.projectId}::uuid, gen_random_uuid(), ${newId()}::uuid, 'hl7', n::text from generate_series(1, 10000) as n`);
    const sent = await makeMail(world.projectId);
    expect(await send(event(state, sent, data))).toBe(429);
    expect((await stateOf(sent))?.state).toBe(state);
    await db().execute(sql`delete from bot_event where project_id = ${world.projectId}`);
    for (let count = 0; count < 2; count += 1) expect(await send(event(state, sent, data))).toBe(200);
    const told = await db().execute(sql`select key from bot_event where project_id = ${world.projectId}`);
    expect(told).toEqual([{ key: `mail ${sent.id} ${state}` }]);
  },
);
