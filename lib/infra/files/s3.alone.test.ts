import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppError } from '#lib/base/errors.ts';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { type S3Server, startS3Server } from '#lib/testing/servers/s3-server.ts';
import { s3 } from './s3.ts';

let server: S3Server;

beforeAll(async () => {
  server = await startS3Server('files-of-ours');
  Object.assign(process.env, {
    BINARY_STORAGE: 's3://files-of-ours/gate/house',
    S3_ENDPOINT: server.endpoint,
    S3_REGION: 'eu-test-1',
    S3_ACCESS_KEY_ID: server.credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
  });
});
afterAll(() => server.stop());

const MIB = 1024 * 1024;
const name = { projectId: 'p', key: '00ab' };

test('files go into the bucket in parts, come back whole or in part, and go', async () => {
  const { checkFiles, dropFile, openFile, putFile } = await import('./files.ts');
  await checkFiles();
  for (const size of [3, 8 * MIB, 21 * MIB]) {
    const bytes = randomBytes(size);
    await putFile('s3', name, piecesOf(bytes));
    expect([...server.objects.keys()]).toEqual(['gate/house/p/ab/00ab']);
    expect(server.open.size).toBe(0);
    const all = Buffer.concat(await (await openFile('s3', name)).toArray());
    expect(createHash('sha256').update(all).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    const part = Buffer.concat(await (await openFile('s3', name, { first: 1, last: 2 })).toArray());
    expect(part.equals(bytes.subarray(1, 3))).toBe(true);
    await dropFile('s3', name);
    expect(server.objects.size).toBe(0);
  }
  await dropFile('s3', name);
});

test('what breaks off leaves neither a file nor parts of one, and is told as what it was', async () => {
  const { putFile } = await import('./files.ts');
  async function* broken() {
    yield randomBytes(20 * MIB);
    throw new Error('gone');
  }
  await expect(putFile('s3', name, broken())).rejects.toThrow('gone');
  expect([server.objects.size, server.open.size]).toEqual([0, 0]);
});

test('a bucket that does not answer is 503, and one that is not there no setting', async () => {
  const { openFile } = await import('./files.ts');
  await expect(openFile('s3', { projectId: 'p', key: 'none' })).rejects.toMatchObject({
    code: 'unavailable',
  } as AppError);
  server.objects.clear();
  server.fail(true);
  await expect(s3.check()).rejects.toThrow(WrongSettings);
  server.fail(false);
  await s3.check();
});

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}
