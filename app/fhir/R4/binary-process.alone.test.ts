import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { sweepBytes } from '#lib/domain/bytes/sweep-bytes.ts';
import { binaryFile } from '#lib/infra/db/schema/fhir/binary-file.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { filesOf } from '#lib/testing/fhir/files-of.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const PROCESS = join(import.meta.dirname, '../../../lib/testing/processes/binary-process.ts');
const MIB = 1024 * 1024;
let child: ChildProcess | undefined;

afterEach(() => void child?.kill('SIGKILL'));

async function start(heapMib: number): Promise<string> {
  const env = { ...process.env, MAX_BINARY_MIB: '250' };
  child = fork(PROCESS, { env, execArgv: [`--max-old-space-size=${heapMib}`] });
  const [{ port }] = await once(child, 'message');
  return `http://127.0.0.1:${port}/fhir/R4`;
}

async function mostMemory(): Promise<number> {
  const told = once(child!, 'message');
  child!.send('how much');
  return (await told)[0].maxRss;
}

async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(MIB, at);
}

const stream = (body: AsyncGenerator<Uint8Array>) => ({
  body: Readable.toWeb(Readable.from(body)) as ReadableStream,
  duplex: 'half' as const,
});

test('200 MiB go up and come down in a process that has not the memory for them', { timeout: 300_000 }, async () => {
  const { admin } = await makeFhirProject();
  const base = await start(96);
  const headers = { authorization: admin.authorization, 'content-type': 'application/dicom' };
  const small = await fetch(`${base}/Binary`, { method: 'POST', headers, body: Buffer.alloc(MIB) });
  expect(small.status).toBe(201);
  const before = await mostMemory();
  const made = await fetch(`${base}/Binary`, { method: 'POST', headers, ...stream(pieces(200)) });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const sent = createHash('sha256');
  for await (const piece of pieces(200)) sent.update(piece);
  const came = createHash('sha256');
  const answer = await fetch(`${base}/Binary/${id}`, { headers: { ...headers, accept: '*/*' } });
  expect(answer.headers.get('content-length')).toBe(String(200 * MIB));
  for await (const piece of answer.body!) came.update(piece);
  expect(came.digest('hex')).toBe(sent.digest('hex'));
  expect((await mostMemory()) - before).toBeLessThan(100 * MIB);
});

test('killed in the middle of an upload, nothing can be read of it, and the sweep drops what has come', {
  timeout: 300_000,
}, async () => {
  const { admin, projectId } = await makeFhirProject();
  const base = await start(256);
  const headers = { authorization: admin.authorization, 'content-type': 'application/dicom' };
  const rows = () => db().select().from(binaryFile).where(eq(binaryFile.projectId, projectId));
  async function* killing(): AsyncGenerator<Uint8Array> {
    yield* pieces(3);
    await expect.poll(() => filesOf(projectId), { timeout: 60_000 }).toHaveLength(1);
    child!.kill('SIGKILL');
    await once(child!, 'exit');
    yield* pieces(1);
  }
  await expect(fetch(`${base}/Binary`, { method: 'POST', headers, ...stream(killing()) })).rejects.toThrow();
  expect(await rows()).toMatchObject([{ state: 'coming', binaryId: null }]);
  expect(filesOf(projectId)[0]).toMatch(/\.part$/);
  await sweepBytes();
  expect(await rows()).toHaveLength(1);
  await sweepBytes(undefined, Date.now() + 60_000);
  expect(await rows()).toEqual([]);
  expect(filesOf(projectId)).toEqual([]);
});

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux('whoever leaves in the middle of a download leaves no file open', { timeout: 120_000 }, async () => {
  const { admin, projectId } = await makeFhirProject();
  const base = await start(256);
  const headers = { authorization: admin.authorization, 'content-type': 'application/dicom', accept: '*/*' };
  const made = await fetch(`${base}/Binary`, { method: 'POST', headers, ...stream(pieces(40)) });
  const { id } = (await made.json()) as { id: string };
  expect(openFiles(projectId)).toBe(0);
  for (const more of [{}, { range: 'bytes=1048576-' }] as Record<string, string>[]) {
    const leaving = new AbortController();
    const answer = await fetch(`${base}/Binary/${id}`, { headers: { ...headers, ...more }, signal: leaving.signal });
    await answer.body!.getReader().read();
    expect(openFiles(projectId)).toBe(1);
    leaving.abort();
    await expect.poll(() => openFiles(projectId)).toBe(0);
  }
  expect((await fetch(`${base}/Binary/${id}`, { method: 'HEAD', headers })).status).toBe(200);
  expect(openFiles(projectId)).toBe(0);
});

/** Of the server, below the folder of a project. */
function openFiles(projectId: string): number {
  const folder = `/proc/${child!.pid}/fd`;
  const linked = (name: string) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      // Closed since it was listed.
      return '';
    }
  };
  return readdirSync(folder).filter((name) => linked(name).includes(projectId)).length;
}
