import { afterAll, expect, test } from 'vitest';
import { callApi } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';

// As under `next dev`: no server.ts, and Next writes the caller's address into X-Forwarded-For.
const { GATEHOUSE_SERVER } = process.env;
delete process.env.GATEHOUSE_SERVER;
afterAll(changeSettings({ NODE_ENV: 'development' }));
afterAll(() => void Object.assign(process.env, { GATEHOUSE_SERVER }));

test.each([
  ['127.0.0.1', 200],
  ['::1', 200],
  ['::ffff:127.0.0.1', 200],
  ['192.0.2.7', 404],
  ['127.0.0.1, 192.0.2.7', 404],
])('under next dev, a caller from %s gets %i', async (address, status) => {
  const headers = { 'x-forwarded-for': address };
  expect((await callApi(undefined, 'GET', '/dev/mail', { headers })).status).toBe(status);
});
