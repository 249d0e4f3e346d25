import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const PROCESS = join(import.meta.dirname, '../../../lib/testing/processes/binary-process.ts');
const MIB = 1024 * 1024;
const URL = 'urn:large';
let child: ChildProcess | undefined;

afterEach(() => void child?.kill('SIGKILL'));

async function start(heapMib: number): Promise<string> {
  child = fork(PROCESS, { execArgv: [`--max-old-space-size=${heapMib}`] });
  const [{ port }] = await once(child, 'message');
  return `http://127.0.0.1:${port}/fhir/R4`;
}

async function mostMemory(): Promise<number> {
  const told = once(child!, 'message');
  child!.send('how much');
  return (await told)[0].maxRss;
}

test('a system of 100,000 concepts is written, expanded and asked in a process with a small heap', {
  timeout: 300_000,
}, async () => {
  const { admin } = await makeFhirProject();
  const base = await start(160);
  const headers = { authorization: admin.authorization, 'content-type': 'application/fhir+json' };
  const post = async (body: { resourceType: string }) => {
    const answer = await fetch(`${base}/${body.resourceType}`, {
      method: 'POST',
      headers: { ...headers, prefer: 'return=minimal' },
      body: JSON.stringify(body),
    });
    expect(answer.status, (await answer.text()).slice(0, 300)).toBe(201);
  };
  await post({
    resourceType: 'ValueSet',
    ...{ url: 'urn:large:all', status: 'active', compose: { include: [{ system: URL }] } },
  });
  const listed = { include: [{ system: URL }], exclude: [{ system: URL, concept: [{ code: 'c1' }] }] };
  await post({ resourceType: 'ValueSet', ...{ url: 'urn:large:parts', status: 'active', compose: listed } });
  const concept = Array.from({ length: 100_000 }, (_, at) => ({
    code: `c${at}`,
    display: `Concept ${at} ${'x'.repeat(100)}`,
  }));
  await post({
    resourceType: 'CodeSystem',
    ...{ url: URL, status: 'active', content: 'complete', caseSensitive: false, concept },
  });
  const written = await mostMemory();
  const ask = async (path: string) => {
    const answer = await fetch(`${base}/${path}`, { headers });
    await answer.text();
    return answer.status;
  };
  const many = (path: string) => Promise.all(Array.from({ length: 20 }, () => ask(path)));
  expect(new Set(await many('ValueSet/$expand?url=urn:large:all&count=1000&offset=50000'))).toEqual(new Set([200]));
  expect(new Set(await many(`CodeSystem/$validate-code?url=${URL}&code=C99999`))).toEqual(new Set([200]));
  expect(new Set(await many('ValueSet/$validate-code?url=urn:large:parts&code=C99999'))).toEqual(new Set([200]));
  expect(new Set(await many('ValueSet/$expand?url=urn:large:parts&count=10'))).toEqual(new Set([400]));
  expect((await mostMemory()) - written).toBeLessThan(100 * MIB);
});
