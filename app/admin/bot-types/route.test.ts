import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '#lib/testing/world.ts';
import { GET } from './route.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const ask = (headers: Record<string, string>) =>
  GET(new Request('http://localhost/admin/bot-types', { headers }), { params: Promise.resolve({}) });

describe('200', () => {
  test('the compiler and all declarations, packed, for the browser to keep a day', async () => {
    const answer = await ask({ authorization: world.owner.bearer });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('private, max-age=86400');
    const files = JSON.parse(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString('utf8'));
    for (const name of [
      '/typescript.js',
      '/lib/lib.esnext.d.ts',
      '/lib/lib.webworker.d.ts',
      '/node_modules/@medplum/core/index.d.ts',
      '/node_modules/@medplum/fhirtypes/Patient.d.ts',
      '/node_modules/@types/node/crypto.d.ts',
    ]) {
      expect(files[name], name).toBeTypeOf('string');
    }
  });
});

describe('304', () => {
  test('nothing again for who has it', async () => {
    const authorization = world.owner.bearer;
    const etag = (await ask({ authorization })).headers.get('etag')!;
    const again = await ask({ authorization, 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('401', () => {
  test('nothing for who is not signed in', async () => {
    expect((await ask({})).status).toBe(401);
  });
});
