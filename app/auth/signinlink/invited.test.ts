import { expect, test } from 'vitest';
import { auditOf } from '#lib/testing/accounts.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { setProject } from '#lib/testing/ways.ts';
import { anEmail, createWorld } from '#lib/testing/world.ts';

const PLAIN = { codeChallenge: 'v'.repeat(43), codeChallengeMethod: 'plain' };

async function comeByMail(email: string): Promise<number> {
  const begun = await callAuth('POST', '/auth/signinlink', { body: { email, ...PLAIN } });
  const mail = (await waitingMail(email)).find(({ template }) => template === 'sign-in-link');
  const body = { id: begun.body.id, code: mail?.params.code };
  return (await callAuth('POST', '/auth/signinlink/spend', { body })).status;
}

test('who is invited and comes in by a mailed link has accepted, though there is no password: in lists, counts and the log, once', async () => {
  const world = await createWorld();
  await setProject(world.projectId, { 'signInWays.Practitioner': 'link' });
  const email = anEmail();
  const { id } = await world.invite({ email });
  const statusOf = async () => [
    (await world.call('GET', `/member-facts?membership=${id}`)).body.rows[0].status,
    (await world.call('GET', `/invites?membership=${id}`)).body.rows[0].status,
    (await world.call('GET', '/overview')).body.people,
  ];
  expect(await statusOf()).toEqual(['invited', 'pending', { active: 1, invited: 1, inactive: 0 }]);
  expect(await comeByMail(email)).toBe(200);
  expect(await statusOf()).toEqual(['active', 'accepted', { active: 2, invited: 0, inactive: 0 }]);
  expect(await comeByMail(email)).toBe(200);
  const accepted = (await auditOf(world.projectId, `ProjectMembership/${id}`)).filter((one) => one === 'invite.accept');
  expect(accepted).toHaveLength(1);
  expect((await world.call('POST', `/members/${id}/resendinvite`)).status).toBe(409);
});

test('an invitation says how one signs in there, in the mail and where its link leads', async () => {
  const world = await createWorld();
  await setProject(world.projectId, { 'signInWays.Practitioner': 'link,passkey' });
  const email = anEmail();
  await world.invite({ email });
  const [mail] = await waitingMail(email);
  expect(mail?.params.how).toBe('You sign in there with a passkey or a link by e-mail.');
  const { body } = await callAuth('POST', '/auth/link', { body: toLink(mail?.params.url) });
  expect(body.ways).toEqual(['passkey', 'link']);
  const other = anEmail();
  await world.invite({ email: other, membership: { signInWays: ['password'] } });
  const [usual] = await waitingMail(other);
  expect(usual?.params.how).toBeUndefined();
});
