import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { asWritten } from '#lib/infra/db/cluster/at-home.ts';
import { rateCounter } from '#lib/infra/db/schema/identity.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeClient, makeOwner, type TestClient, toBasic } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const MOST = 10;
let client: TestClient;
let networks = 0;
let guesser: string;

beforeEach(async () => {
  client = await makeClient((await makeOwner()).projectId);
  networks += 1;
  guesser = `172.16.${networks}.1`;
});

function askByForm(secret: string, remote = guesser, id = client.id) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  return callAuth('POST', '/oauth2/token', { body, remote });
}

function askByBasic(secret: string, remote = guesser) {
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  return callAuth('POST', '/oauth2/token', { body, remote, headers: { authorization: toBasic(client.id, secret) } });
}

function readMe(secret: string, remote = guesser) {
  return callAuth('GET', '/auth/me', { remote, headers: { authorization: toBasic(client.id, secret) } });
}

async function guess(times: number): Promise<void> {
  for (let round = 0; round < times; round++) expect((await askByForm(`wrong-${round}`)).status).toBe(400);
}

describe('after ten wrong secrets for a client from a network', () => {
  test('right and wrong are refused there alike, in the form, the header and at any route; elsewhere it goes on', async () => {
    await guess(MOST);
    const answers = [await askByForm('wrong'), await askByForm(client.secret)];
    answers.push(await askByBasic('wrong'), await askByBasic(client.secret));
    for (const { status, headers, body } of answers) {
      expect([status, body]).toEqual([
        429,
        { error: 'invalid_request', error_description: expect.stringMatching(/^Too many attempts; try again in/) },
      ]);
      const wait = Number(headers.get('retry-after'));
      expect(wait > 0 && wait <= 15 * 60).toBe(true);
    }
    for (const secret of ['wrong', client.secret]) {
      const { status, body } = await readMe(secret);
      expect([status, body.id]).toEqual([429, 'too-many-requests']);
    }
    expect((await askByForm(client.secret, '172.17.0.1')).status).toBe(200);
    expect((await readMe(client.secret, '172.17.0.1')).status).toBe(200);
  });

  test('another client of the same network is not concerned', async () => {
    await guess(MOST + 1).catch(() => undefined);
    const other = await makeClient((await makeOwner()).projectId);
    expect((await askByForm(other.secret, guesser, other.id)).status).toBe(200);
  });
});

test('wrong ones at any other route count with these', async () => {
  for (let round = 0; round < MOST; round++) expect((await readMe(`wrong-${round}`)).status).toBe(401);
  expect((await askByForm(client.secret)).status).toBe(429);
});

test('of many at the same moment no more than ten are looked at', async () => {
  const wrong = Array.from({ length: 40 }, (_, round) => askByForm(`wrong-${round}`));
  const statuses = (await Promise.all(wrong)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(MOST);
  expect((await askByForm(client.secret)).status).toBe(429);
});

test('what another process counted is learned with the first wrong one, and kept', async () => {
  const key = hashSecret(`client:${client.id}:${guesser}`);
  await db()
    .insert(rateCounter)
    .values({ key, count: MOST, resetAt: new Date(Date.now() + 60_000) });
  const first = await askByForm('wrong');
  expect([first.status, Number(first.headers.get('retry-after')) <= 60]).toEqual([429, true]);
  expect((await askByForm(client.secret)).status).toBe(429);
});

test('unknown clients count for the network, and leave those that are known', async () => {
  let last = 0;
  for (let round = 0; round <= 60; round++) last = (await askByForm('wrong', guesser, newId())).status;
  expect(last).toBe(429);
  expect((await askByForm(client.secret)).status).toBe(200);
});

test('a right secret costs no statement more, before and while another network must wait', async () => {
  await guess(MOST);
  const texts: string[] = [];
  const stop = watchStatements((text, params) => texts.push(asWritten(text, params)));
  expect((await askByForm(client.secret, '172.17.0.2')).status).toBe(200);
  expect((await askByForm(client.secret)).status).toBe(429);
  stop();
  expect(texts.filter((text) => text.includes('rate_counter'))).toEqual([]);
  const writing = texts.filter((text) => /insert into|begin|commit/.test(text));
  expect(writing).toEqual([expect.stringMatching(/insert into login .*insert into audit_event/s)]);
});
