import { expect, test } from 'vitest';
import { newId, newSecret, SERVER_SCOPE } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { accountChange } from '#lib/infra/db/schema/account-change.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { makePerson } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

test('after sixty wrong ones from one network 429, for every way to use such a link; another network goes on', async () => {
  const { userId } = await makePerson();
  const [id, secret, at] = [newId(), newSecret(), new Date(Date.now() + 86_400_000)];
  const asked = { kind: 'erase', userId, scope: SERVER_SCOPE, detail: {}, askedBy: `User/${userId}` } as const;
  const hashes = { stopHash: hashSecret(secret), confirmHash: hashSecret(newSecret()) };
  await db()
    .insert(accountChange)
    .values({ ...asked, ...hashes, id, dueAt: at, expiresAt: at });
  const from = (network: number) => ({ 'x-gatehouse-remote': `203.0.113.${network}` });
  const call = (path: string, body: object, network = 77) =>
    callApi(undefined, 'POST', `/auth/changes/${path}`, { body, headers: from(network) });
  const right = { id, secret };
  expect((await call('link', right)).status).toBe(200);
  const wrong = await Promise.all(
    Array.from({ length: 70 }, (_, at) => call('link', { id: at % 2 ? id : newId(), secret: newSecret() })),
  );
  const statuses = wrong.map(({ status }) => status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  for (const path of ['link', 'stop', 'confirm']) {
    const { status, headers } = await call(path, right);
    expect([path, status, Number(headers.get('retry-after')) > 0]).toEqual([path, 429, true]);
  }
  expect((await call('link', right, 78)).status).toBe(200);
});
