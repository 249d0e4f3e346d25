import { expect, onTestFinished, test, vi } from 'vitest';
import { pace } from '#lib/base/pace.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { begin, serveTexts } from '#lib/testing/fhir/imports.ts';
import { startImports } from './start-imports.ts';

test('what is asked for is read by the next process that starts, and what is asked for later, while it runs', async () => {
  const before = pace.importWatchMs;
  pace.importWatchMs = 20;
  onTestFinished(() => {
    pace.importWatchMs = before;
  });
  const base = await serveTexts({ '/': '{"resourceType":"Basic","code":{"text":"x"}}' });
  const { admin } = await makeFhirProject();
  const file = { type: 'Basic', url: `${base}/` };
  const isDone = async (path: string) => expect((await callFhir(admin, 'GET', path)).status).toBe(200);
  const left = await begin(admin, file);
  const stop = startImports();
  onTestFinished(stop);
  await vi.waitFor(() => isDone(left), 10_000);
  const later = await begin(admin, file);
  await vi.waitFor(() => isDone(later), 10_000);
  expect((await callFhir(admin, 'GET', 'Basic?_summary=count')).body.total).toBe(2);
});
