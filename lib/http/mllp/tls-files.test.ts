import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { makeCertificate } from '#lib/testing/servers/certificate.ts';
import { readTlsFiles } from './tls-files.ts';

const [first, second] = [makeCertificate('first.example'), makeCertificate('second.example')];
const files = { cert: join(tmpdir(), `${newId()}.pem`), key: join(tmpdir(), `${newId()}.pem`) };
let restore = () => {};

beforeAll(() => {
  writeFileSync(files.cert, first.cert);
  writeFileSync(files.key, first.key);
  restore = changeSettings({ MLLP_TLS_CERT: files.cert, MLLP_TLS_KEY: files.key });
});
afterAll(() => {
  restore();
  for (const file of Object.values(files)) rmSync(file, { force: true });
});

test('a certificate is taken with its own key alone, whichever is written first and however old it says to be', async () => {
  const known = await readTlsFiles();
  expect(await readTlsFiles(known)).toBe(known);
  writeFileSync(files.cert, second.cert);
  await expect(readTlsFiles(known)).rejects.toThrow();
  writeFileSync(files.key, second.key);
  utimesSync(files.key, 1, 1);
  const renewed = await readTlsFiles(known);
  expect(renewed).not.toBe(known);
  expect(renewed?.options.key?.toString()).toBe(second.key);
});

test('what is no certificate is told, not listened with', async () => {
  writeFileSync(files.cert, 'nothing');
  await expect(readTlsFiles()).rejects.toThrow();
});
