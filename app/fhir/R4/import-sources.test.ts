import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { and, eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RUNS_MS } from '#lib/domain/bulk-import/start-import.ts';
import { bulkImport, bulkImportFile } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { begin, finish, refusalsOf, serveFiles, serveTexts, toLines, work } from '#lib/testing/fhir/imports.ts';
import { startDnsServer } from '#lib/testing/servers/dns-server.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const LINES = Array.from({ length: 1500 }, (_, n) => ({
  resourceType: 'Basic',
  code: { text: `n${n}` },
  identifier: [{ value: `n${n}` }],
}));
const TEXT = toLines(LINES);
const ETAG = '"one"';
const fileOf = (base: string) => ({ type: 'Basic', url: `${base}/` });

/** How many there are, and how many different ones. */
async function stored(caller: Caller): Promise<[number, number]> {
  const names: string[] = [];
  for (let path = 'Basic?_count=1000'; path; ) {
    const { body } = await callFhir(caller, 'GET', path);
    names.push(...(body.entry ?? []).map((entry: { resource: (typeof LINES)[0] }) => entry.resource.code.text));
    const next = body.link.find((link: { relation: string }) => link.relation === 'next');
    path = next ? next.url.split('/fhir/R4/')[1] : '';
  }
  return [names.length, new Set(names).size];
}
const ALL = [LINES.length, LINES.length];

/** Breaks off after so many bytes. */
function breakOff(response: ServerResponse, bytes: Buffer, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-length': TEXT.length, ...headers });
  response.write(bytes, () => response.destroy());
}

describe('a source that breaks off in the middle is read on: nothing is lost, and nothing comes twice', () => {
  test('from where it was left, where its server can', async () => {
    const asked: (string | undefined)[] = [];
    const base = await serveFiles(({ headers: { range, 'if-range': ifRange } }, response) => {
      asked.push(range && `${range} ${ifRange}`);
      const [, from] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
      const bytes = Buffer.from(TEXT);
      if (from === undefined) return breakOff(response, bytes.subarray(0, 80_000), { etag: ETAG });
      const content = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
      response.writeHead(206, { 'content-range': content, etag: ETAG }).end(bytes.subarray(Number(from)));
    });
    const { admin } = await makeFhirProject();
    const manifest = await finish(admin, await begin(admin, fileOf(base)));
    expect([manifest.output[0]!.count, manifest.error, await stored(admin)]).toEqual([1500, [], ALL]);
    expect(asked).toEqual([undefined, expect.stringMatching(/^bytes=\d{5}- "one"$/)]);
    const [from] = /\d+/.exec(asked[1]!)!;
    expect([TEXT[Number(from) - 1], Number(from) > 79_000]).toEqual(['\n', true]);
  });

  test('and so is one that sends less of it than it was asked for', async () => {
    const bytes = Buffer.from(TEXT);
    let asked = 0;
    const base = await serveFiles(({ headers: { range } }, response) => {
      asked += 1;
      const [, from] = /^bytes=(\d+)-$/.exec(range ?? '') ?? [];
      if (from === undefined) return breakOff(response, bytes.subarray(0, 30_000), { etag: ETAG });
      const to = Math.min(Number(from) + 30_000, bytes.length);
      const headers = { 'content-range': `bytes ${from}-${to - 1}/${bytes.length}`, etag: ETAG };
      response.writeHead(206, headers).end(bytes.subarray(Number(from), to));
    });
    const { admin } = await makeFhirProject();
    const manifest = await finish(admin, await begin(admin, fileOf(base)));
    expect([manifest.output[0]!.count, manifest.error, await stored(admin)]).toEqual([1500, [], ALL]);
    expect(asked).toBeGreaterThan(3);
  });

  test.each([
    ['from its beginning, where it cannot', TEXT, {}],
    ['from its beginning, where it is packed', gzipSync(TEXT), { 'content-encoding': 'gzip', etag: ETAG }],
  ])('%s', async (_, body, headers) => {
    let asked = 0;
    const base = await serveFiles((request, response) => {
      asked += 1;
      expect(request.headers.range).toBeUndefined();
      const bytes = Buffer.from(body);
      if (asked < 3)
        return breakOff(
          response,
          bytes.subarray(0, Math.floor((bytes.length * asked) / 3)),
          headers as Record<string, string>,
        );
      response.writeHead(200, headers as Record<string, string>).end(bytes);
    });
    const { admin } = await makeFhirProject();
    const manifest = await finish(admin, await begin(admin, fileOf(base)));
    expect([asked, manifest.output[0]!.count, manifest.error, await stored(admin)]).toEqual([3, 1500, [], ALL]);
  });

  test.each([
    ['another', TEXT.replace('n3"', 'n4"')],
    ['a shorter', TEXT.slice(0, 1000)],
  ])('and not where it is %s file by then, which is said', async (_, then) => {
    let asked = 0;
    const base = await serveFiles((_request, response) => {
      asked += 1;
      if (asked === 1) return breakOff(response, Buffer.from(TEXT.slice(0, 80_000)));
      response.end(then);
    });
    const { admin } = await makeFhirProject();
    const manifest = await finish(admin, await begin(admin, fileOf(base)));
    const { count } = manifest.output[0]!;
    expect(await refusalsOf(admin, manifest)).toEqual([
      expect.stringMatching(/^file incomplete {2}After line \d+: .*has changed/),
    ]);
    expect(await stored(admin)).toEqual([count, count]);
  });

  test('and given up after six times without a line', async () => {
    let asked = 0;
    const base = await serveFiles((_request, response) => {
      asked += 1;
      response.writeHead(503).end();
    });
    const { admin } = await makeFhirProject();
    const manifest = await finish(admin, await begin(admin, fileOf(base)));
    expect([asked, await refusalsOf(admin, manifest)]).toEqual([6, ['file incomplete  Its server answered 503']]);
  });
});

test('a source that never ends is left when the day is over', async () => {
  const base = await serveFiles((_request, response) => {
    response.write(TEXT.slice(0, 1000));
    const dripping = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(dripping));
  });
  const { projectId, admin } = await makeFhirProject();
  const path = await begin(admin, fileOf(base));
  const createdAt = new Date(Date.now() - RUNS_MS + 1500);
  await db().update(bulkImport).set({ createdAt }).where(eq(bulkImport.projectId, projectId));
  const manifest = await finish(admin, path);
  expect(await refusalsOf(admin, manifest)).toEqual([expect.stringContaining('took longer than a day')]);
});

describe('a file that cannot be read is told, and the next one is read', () => {
  const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    'answered 404': (_, response) => response.writeHead(404).end(),
    'redirects are not followed': (_, response) => response.writeHead(302, { location: '/good' }).end(),
    'not that of the etag': (_, response) => response.writeHead(200, { etag: '"other"' }).end(TEXT),
    'Only gzip is unpacked': (_, response) =>
      response.writeHead(200, { 'content-encoding': 'br', etag: ETAG }).end(TEXT),
    'The file is not gzip': (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', etag: ETAG }).end(TEXT),
  };
  test.each(Object.entries(answers))('%s', async (text, answer) => {
    const base = await serveFiles((request, response) => {
      if (request.url === '/good') response.end(toLines(LINES.slice(0, 3)));
      else answer(request, response);
    });
    const { admin } = await makeFhirProject();
    const bad = { type: 'Basic', url: `${base}/bad`, etag: 'one' };
    const manifest = await finish(admin, await begin(admin, bad, { type: 'Basic', url: `${base}/good` }));
    expect(manifest.output.map(({ count }) => count)).toEqual([0, 3]);
    expect(await refusalsOf(admin, manifest)).toEqual([expect.stringContaining(text)]);
  });

  test('an address whose name leads into our networks is not asked', async () => {
    let asked = 0;
    const base = await serveFiles((_, response) => {
      asked += 1;
      response.end();
    });
    const dns = await startDnsServer();
    onTestFinished(dns.stop);
    dns.addresses.set('within.example', '127.0.0.1');
    onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: false, DNS_SERVERS: [dns.address] }));
    const { admin } = await makeFhirProject();
    const url = `https://within.example:${new URL(base).port}/`;
    const manifest = await finish(admin, await begin(admin, { type: 'Basic', url }));
    expect([asked, await refusalsOf(admin, manifest)]).toEqual([0, [expect.stringContaining('is no public address')]]);
  });
});

test('an address is sealed where it is kept: whoever has it can read the file', async () => {
  const { projectId, admin } = await makeFhirProject();
  await begin(admin, { type: 'Basic', url: 'https://example.com/x?signature=hunter2' });
  const [row] = await db().select().from(bulkImportFile).where(eq(bulkImportFile.projectId, projectId));
  expect([row!.urlSealed.slice(0, 3), JSON.stringify(row)]).toEqual([
    'v2.',
    expect.not.stringMatching(/hunter2|example\.com/),
  ]);
});

test('a process that is killed in the middle leaves it to the next, which stores the rest and nothing twice', async () => {
  let asked = 0;
  const base = await serveFiles((_request, response) => {
    asked += 1;
    if (asked > 1) return void response.end(TEXT);
    // Enough for two batches; the rest never comes.
    response.writeHead(200, { 'content-length': TEXT.length });
    response.write(TEXT.slice(0, 70_000));
  });
  const { projectId, admin } = await makeFhirProject();
  const path = await begin(admin, fileOf(base));
  const child = fork(join(import.meta.dirname, '../../../lib/testing/processes/import-process.ts'), [], {
    env: { ...process.env, FETCH_PRIVATE_ADDRESSES: 'true' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const own = and(eq(bulkImportFile.projectId, projectId), eq(bulkImportFile.number, 0));
  const lineOf = async () => (await db().select().from(bulkImportFile).where(own))[0]!.line;
  await expect.poll(lineOf, { timeout: 60_000 }).toBeGreaterThan(0);
  const before = await lineOf();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect([await stored(admin), before % 500]).toEqual([[before, before], 0]);
  const manifest = await finish(admin, path);
  expect([asked, manifest.output[0]!.count, await stored(admin)]).toEqual([2, 1500, ALL]);
});

test('two processes that are at it at once store nothing twice', async () => {
  const base = await serveTexts({ '/': TEXT });
  const { projectId, admin } = await makeFhirProject();
  const path = await begin(admin, fileOf(base));
  const { runImport } = await import('#lib/domain/bulk-import/run-import.ts');
  const which = { projectId, id: path.split('/')[1]! };
  await Promise.all(Array.from({ length: 4 }, () => runImport(which, new AbortController().signal)));
  const manifest = await finish(admin, path);
  expect([manifest.output[0]!.count, await stored(admin)]).toEqual([1500, ALL]);
});

describe('in the middle', () => {
  /** The second half of the file comes after `change`. */
  async function interrupted(
    change: (path: string) => Promise<void>,
    caller: (given: Awaited<ReturnType<typeof makeFhirProject>>) => Promise<Caller>,
  ) {
    const project = await makeFhirProject();
    const begun = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const base = await serveFiles(async (_request, response) => {
      response.write(TEXT.slice(0, 70_000));
      begun.resolve();
      await changed.promise;
      response.end(TEXT.slice(70_000));
    });
    const own = await caller(project);
    const path = await begin(own, fileOf(base), fileOf(base));
    const working = work();
    await begun.promise;
    await expect.poll(async () => (await stored(project.admin))[0]).toBeGreaterThan(0);
    const before = await stored(project.admin);
    await change(path);
    changed.resolve();
    await working;
    return { project, own, path, before };
  }

  test('DELETE ends it: what was stored stays, and nothing more comes', async () => {
    const found: { caller?: Caller } = {};
    const { project, own, path, before } = await interrupted(
      async (path) => expect((await callFhir(found.caller, 'DELETE', path)).status).toBe(202),
      async ({ admin }) => {
        found.caller = admin;
        return admin;
      },
    );
    expectIssue(await callFhir(own, 'GET', path), 404, 'not-found');
    await work();
    expect(await stored(project.admin)).toEqual(before);
    const left = await db().select().from(bulkImportFile).where(eq(bulkImportFile.projectId, project.projectId));
    expect(left).toEqual([]);
  });

  test.each([
    ['membership ends', 'DELETE', undefined],
    ['administration ends', 'PATCH', [{ op: 'replace', path: '/admin', value: false }]],
  ])('whose %s stores nothing more, and an administrator is told why', async (_, method, body) => {
    const found: { project?: Awaited<ReturnType<typeof makeFhirProject>>; member?: Caller } = {};
    const { project, path, before } = await interrupted(
      async () => {
        const { projectId, admin } = found.project!;
        const member = `/admin/projects/${projectId}/members/${found.member!.membershipId}`;
        expect((await callApi(admin.authorization, method, member, { body })).status).toBe(200);
      },
      async (project) => {
        found.project = project;
        found.member = await project.member(undefined, { admin: true });
        return found.member;
      },
    );
    const manifest = await finish(project.admin, path);
    expect(await stored(project.admin)).toEqual(before);
    expect(manifest.output.map(({ count }) => count)).toEqual([before[0], 0]);
    for (const at of [0, 1])
      expect(await refusalsOf(project.admin, manifest, at)).toEqual([expect.stringContaining('may do so no longer')]);
  });
});

test('an administrator whom a policy limits stores what it lets them, and is told of the rest', async () => {
  const { admin, member } = await makeFhirProject();
  const limited = await member([{ resourceType: 'Basic', criteria: 'Basic?identifier=n1,n2' }], { admin: true });
  const base = await serveTexts({ '/': toLines(LINES.slice(0, 4)) });
  const manifest = await finish(admin, await begin(limited, fileOf(base), { type: 'Patient', url: `${base}/` }));
  expect(manifest.output.map(({ count }) => count)).toEqual([2, 0]);
  expect(await refusalsOf(limited, manifest)).toEqual([
    expect.stringMatching(/^line-1 forbidden/),
    expect.stringMatching(/^line-4 forbidden/),
  ]);
  expect((await stored(admin))[0]).toBe(2);
});
