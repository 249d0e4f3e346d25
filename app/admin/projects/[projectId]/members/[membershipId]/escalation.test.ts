import { beforeEach, describe, expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

let world: World;
let lim: { id: string; email: string; user: string; bearer: string };

/** An administrator whom a policy limits to their own patients. */
beforeEach(async () => {
  world = await createWorld();
  const policy = {
    resourceType: 'AccessPolicy',
    name: 'Own',
    resource: [{ resourceType: 'Patient', criteria: 'Patient?general-practitioner=%profile' }],
  };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  expect(made.status, made.text).toBe(201);
  const membership = { admin: true, accessPolicy: { reference: `AccessPolicy/${made.body.id}` } };
  const { id, user } = await world.invite({ membership });
  const bearer = await signIn(world.projectId, id, user.reference);
  lim = { id, email: String(user.display), user: user.reference, bearer };
});

const patch = (member: string, body: unknown[], headers: Record<string, string> = {}) =>
  world.call('PATCH', `/members/${member}`, { body, headers, bearer: lim.bearer });
const asOwner = () => ({ 'x-medplum-on-behalf-of': `ProjectMembership/${world.owner.membershipId}` });

async function profileOf(member: string): Promise<string> {
  return (await world.call('GET', `/members/${member}`)).body.profile.reference;
}

describe('an administrator whom a policy limits does not lift it', () => {
  test('by another profile, which the policy would take them for', async () => {
    const own = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Practitioner', {
      body: { resourceType: 'Practitioner' },
    });
    const change = [{ op: 'replace', path: '/profile', value: { reference: `Practitioner/${own.body.id}` } }];
    expect((await patch(lim.id, change)).status).toBe(403);
    expect((await world.call('PATCH', `/members/${lim.id}`, { body: change })).status).toBe(200);
  });

  test('in the name of somebody whom none limits', async () => {
    for (const path of ['/accessPolicy', '/profile']) {
      const body =
        path === '/profile'
          ? [{ op: 'replace', path, value: { reference: 'Practitioner/x' } }]
          : [{ op: 'remove', path }];
      expectOutcome(await patch(lim.id, body, asOwner()), 403);
    }
    const removed = await world.call('DELETE', `/members/${lim.id}`, { bearer: lim.bearer, headers: asOwner() });
    expect([removed.status, removed.text]).toEqual([409, expect.stringContaining('your own rights')]);
  });

  test('by a membership beside their own, made or brought back', async () => {
    const beside = {
      resourceType: 'Practitioner',
      firstName: 'L',
      lastName: 'M',
      email: lim.email,
      forceNewMembership: true,
    };
    const invite = (bearer?: string) => world.call('POST', '/invite', { body: beside, ...(bearer && { bearer }) });
    expectOutcome(await invite(lim.bearer), 403);
    const { body: second } = await invite();
    await world.call('DELETE', `/members/${second.id}`);
    const undo = { body: { version: 1 } };
    expectOutcome(await world.call('POST', `/members/${second.id}/undo`, { ...undo, bearer: lim.bearer }), 403);
    expect((await world.call('POST', `/members/${second.id}/undo`, undo)).status).toBe(200);
  });
});

describe('two people are never one record', () => {
  test('a profile that another active member stands on is refused, on a member and in an invite', async () => {
    const [ben, cy] = [await world.invite(), await world.invite()];
    const profile = { reference: await profileOf(ben.id) };
    const change = [{ op: 'replace', path: '/profile', value: profile }];
    const refused = await world.call('PATCH', `/members/${cy.id}`, { body: change });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(ben.id)]);
    const invited = {
      resourceType: 'Practitioner',
      firstName: 'D',
      lastName: 'E',
      email: `d-${lim.email}`,
      membership: { profile },
    };
    expect((await world.call('POST', '/invite', { body: invited })).status).toBe(409);
    await world.call('PATCH', `/members/${ben.id}`, { body: [{ op: 'add', path: '/active', value: false }] });
    expect((await world.call('PATCH', `/members/${cy.id}`, { body: change })).status).toBe(200);
    const back = [{ op: 'replace', path: '/active', value: true }];
    expect((await world.call('PATCH', `/members/${ben.id}`, { body: back })).status).toBe(409);
  });

  test('of invites that name one profile at once, one is granted', async () => {
    const free = { resourceType: 'Practitioner' };
    const { body } = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Practitioner', { body: free });
    const membership = { profile: { reference: `Practitioner/${body.id}` } };
    const invite = (_: unknown, at: number) =>
      world.call('POST', '/invite', {
        body: { ...free, firstName: 'N', lastName: `${at}`, email: `n${at}-${lim.email}`, membership },
      });
    const answers = await Promise.all(Array.from({ length: 8 }, invite));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  test('a second membership of the same person may stand on the same profile', async () => {
    const ben = await world.invite();
    const profile = { reference: await profileOf(ben.id) };
    const again = {
      resourceType: 'Practitioner',
      firstName: 'B',
      lastName: 'B',
      email: ben.user.display,
      membership: { profile },
    };
    const { status, text } = await world.call('POST', '/invite', { body: { ...again, forceNewMembership: true } });
    expect(status, text).toBe(200);
  });
});
