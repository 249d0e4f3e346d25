import { expect, test } from 'vitest';
import { callApi } from '#lib/testing/call-api.ts';
import { buffersOf } from '#lib/testing/growth/buffers-of.ts';
import { growMembers } from '#lib/testing/growth/grow-members.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

/** Both have more who come in than the overview looks through (a thousand): what it costs below that does grow. */
const [FEW, MANY] = [1200, 7200];

const READINGS: Record<string, (world: World) => Promise<unknown>> = {
  'a search for members with its total': ({ owner }) =>
    callApi(owner.bearer, 'GET', '/fhir/R4/ProjectMembership?profile-type:not=Bot&_summary=count'),
  'the same, of a status': ({ owner }) =>
    callApi(owner.bearer, 'GET', '/fhir/R4/ProjectMembership?status=invite-expired&_summary=count'),
  'those without a second factor, and who has one': async ({ owner }) => {
    for (const word of ['none', 'any', 'passkey'])
      await callApi(owner.bearer, 'GET', `/fhir/R4/ProjectMembership?factor=${word}&_summary=count`);
  },
  'a page of those without': ({ owner }) =>
    callApi(owner.bearer, 'GET', '/fhir/R4/ProjectMembership?factor=none&_count=20&_total=accurate'),
  'a page of those who are active': ({ owner }) =>
    callApi(owner.bearer, 'GET', '/fhir/R4/ProjectMembership?status=active&_count=20&_total=accurate'),
  'the list of invitations': (world) => world.call('GET', '/invites?_count=20'),
  ...Object.fromEntries(
    ['pending', 'accepted', 'expired', 'revoked', 'failed'].map((status) => [
      `those that are ${status}`,
      (world: World) => world.call('GET', `/invites?status=${status}&_count=20`),
    ]),
  ),
  'the overview': (world) => world.call('GET', '/overview'),
};

test('with six times the members, what is shown of them costs no more than half as much again', async (test) => {
  skipOnCluster(test, 'pages');
  const world = await createWorld();
  const measure = async () => {
    const costs: Record<string, number> = {};
    for (const [name, read] of Object.entries(READINGS)) costs[name] = await buffersOf(() => read(world));
    return costs;
  };
  await growMembers(world.projectId, FEW);
  const few = await measure();
  await growMembers(world.projectId, MANY - FEW);
  const many = await measure();
  const grown = Object.entries(many).filter(([name, cost]) => cost > 1.5 * (few[name] ?? 0));
  expect(grown, JSON.stringify({ few, many })).toEqual([]);
}, 300_000);
