import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { acceptedMember, auditOf } from '#lib/testing/accounts.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { CTX } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';
import { tellEndings } from './tell-endings.ts';

const DAY_MS = 86_400_000;

function endIn(world: World, id: string, days: number) {
  const value = { end: new Date(Date.now() + days * DAY_MS).toISOString() };
  return world.call('PATCH', `/members/${id}`, { body: [{ op: 'add', path: '/period', value }] });
}

async function told(world: World): Promise<string[]> {
  const rows = await db()
    .select({ recipient: mail.recipient, template: mail.template })
    .from(mail)
    .where(eq(mail.projectId, world.projectId));
  return rows
    .flatMap(({ recipient, template }) => (template.includes('end') ? [`${template} ${recipient}`] : []))
    .sort();
}

test('a week before a membership ends its person and the administrators hear of it, once, however many processes look', async () => {
  const world = await createWorld();
  const [soon, later, gone] = [await acceptedMember(world), await acceptedMember(world), await acceptedMember(world)];
  await endIn(world, soon.id, 6);
  await endIn(world, later.id, 8);
  await endIn(world, gone.id, -1);
  await Promise.all(Array.from({ length: 8 }, () => tellEndings(CTX)));
  await tellEndings(CTX);
  const first = [`membership-ends ${soon.email}`, `memberships-end ${world.owner.email}`];
  expect(await told(world)).toEqual(first);
  expect((await auditOf(world.projectId, `ProjectMembership/${soon.id}`))[0]).toBe('membership.warn');
  const [own] = (await waitingMail(soon.email)).filter(({ template }) => template === 'membership-ends');
  expect(own?.params.when).toMatch(/^on \d+ \w+ \d{4}$/);
  // Another end is told of again.
  await endIn(world, soon.id, 3);
  await tellEndings(CTX);
  expect(await told(world)).toHaveLength(4);
});

test('who has not come yet hears nothing but their invitation; a name that is a sentence becomes none', async () => {
  const world = await createWorld();
  const { id } = await world.invite({ firstName: 'Visit', lastName: 'https://evil.example/now. Hurry' });
  await endIn(world, id, 2);
  await tellEndings(CTX);
  expect(await told(world)).toEqual([`memberships-end ${world.owner.email}`]);
  const [mailed] = await waitingMail(world.owner.email);
  expect(mailed?.params.names).toMatch(/^Visit https evil example now Hurry \(/);
});

test('of a closed project nobody hears', async () => {
  const world = await createWorld();
  const { id } = await acceptedMember(world);
  await endIn(world, id, 2);
  const closed = await world.call('POST', '/close', { body: { name: await nameOf(world) } });
  expect(closed.status, closed.text).toBe(200);
  await tellEndings(CTX);
  expect((await told(world)).filter((line) => line.includes('membership'))).toEqual([]);
});

async function nameOf(world: World): Promise<string> {
  return (await world.call('GET', '')).body.project.name;
}
