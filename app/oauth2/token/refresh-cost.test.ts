import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { asWritten } from '#lib/infra/db/cluster/at-home.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { changeMember, makeClient, makeOwner, refresh, removeMember, signIn } from '#lib/testing/people.ts';

// As a server has it: what is loaded is kept until somebody says that it changed.
beforeAll(startInvalidation);
afterAll(stopInvalidation);

/** Without those beside the request: the chain of the audit log, and what is noted of clients. */
async function statementsOf(run: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const stop = watchStatements((text, params) => texts.push(asWritten(text, params)));
  await run();
  stop();
  return texts.filter((text) => /\blogin\b/.test(text) || /\bresource\b/.test(text));
}

test('a refresh is one statement with its audit row, once this process knows the login; the secrets go on as they do', async () => {
  const owner = await makeOwner();
  const client = await makeClient(owner.projectId);
  const { tokens } = await signIn(owner, { scope: 'openid offline', clientId: client.id });
  const first = (await refresh(tokens.refresh_token)).body.refresh_token;
  let second = '';
  const statements = await statementsOf(async () => {
    second = (await refresh(first)).body.refresh_token;
  });
  expect(statements).toHaveLength(1);
  expect(statements[0]).toContain('insert into audit_event');
  // A second tab gets the same successor, and what is older ends it all.
  const tab = await refresh(first);
  expect(tab.status).toBe(200);
  expect((await refresh(second)).status).toBe(200);
  expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect((await refresh(second)).body.error).toBe('invalid_grant');
});

test('of ten at the same moment all get the one successor', async () => {
  const owner = await makeOwner();
  const { tokens } = await signIn(owner, { scope: 'openid offline' });
  const { body } = await refresh(tokens.refresh_token);
  const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(body.refresh_token)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect((await refresh(answers[3]!.body.refresh_token)).status).toBe(200);
});

test('what ends a membership, or its time, ends what is known of its logins', async () => {
  const owner = await makeOwner();
  const other = await makeOwner();
  for (const end of [
    () => changeMember(owner, { active: false }),
    () => changeMember(other, { period: { end: new Date(Date.now() - 1000).toISOString() } }),
  ]) {
    const who = end.toString().includes('owner') ? owner : other;
    const { tokens } = await signIn(who, { scope: 'openid offline' });
    const { body } = await refresh(tokens.refresh_token);
    await end();
    expect((await refresh(body.refresh_token)).status).toBe(400);
  }
  const gone = await makeOwner();
  const { tokens } = await signIn(gone, { scope: 'openid offline' });
  const { body } = await refresh(tokens.refresh_token);
  await removeMember(gone);
  expect((await refresh(body.refresh_token)).status).toBe(400);
});
