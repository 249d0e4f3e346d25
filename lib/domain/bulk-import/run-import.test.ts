import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { begin, finish, serveFiles } from '#lib/testing/fhir/imports.ts';

const ALL = 20_000;
const TEXT = 'x'.repeat(7000);
/** What is read ahead, a batch as text, as it is judged and on its way to the database, twice of what a busy machine was seen to hold; all would be 300. */
const MOST_GROWTH = 96 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function used(): number {
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

test('20,000 resources of 140 MB are imported with the memory of some batches', async () => {
  let most = 0;
  const base = await serveFiles(async (_request, response) => {
    const before = used();
    for (let at = 0; at < ALL; at += 1) {
      const line = { resourceType: 'Observation', status: 'final', code: { text: `n${at}` }, note: [{ text: TEXT }] };
      if (!response.write(`${JSON.stringify(line)}\n`)) await once(response, 'drain');
      if (at % 1000 === 0) most = Math.max(most, used() - before);
    }
    response.end();
  });
  const { admin } = await makeFhirProject();
  const manifest = await finish(admin, await begin(admin, { type: 'Observation', url: `${base}/` }));
  expect([manifest.output[0]!.count, manifest.error]).toEqual([ALL, []]);
  expect((await callFhir(admin, 'GET', 'Observation?_summary=count')).body.total).toBe(ALL);
  expect(most).toBeLessThan(MOST_GROWTH);
});
