import { NextRequest } from 'next/server.js';
import { expect, test } from 'vitest';
import { BODY_LIMIT } from '#lib/http/door/read-body.ts';
import { POST } from './route.ts';

function post(body: BodyInit): Promise<Response> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = 'http://localhost:3999/api/auth/callback/credentials';
  const request = new NextRequest(url, { method: 'POST', headers, body, duplex: 'half' });
  return POST(request, { params: Promise.resolve({ nextauth: ['callback', 'credentials'] }) });
}

test('a body that its sender breaks off is theirs: 400, where next-auth would fail', async () => {
  const half = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
  expect((await post(half)).status).toBe(400);
});

test('a body is limited like every other', async () => {
  expect((await post('x'.repeat(BODY_LIMIT + 1))).status).toBe(413);
});
