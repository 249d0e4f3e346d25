import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { complete, start } from '#lib/testing/fhir/exports.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { createRows } from '../store/many/write-many.ts';
import { fetchPiece } from './fetch-piece.ts';

const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };
const ALL = 20_000;
const TOGETHER = 1000;
/** Rows of a page. */
const PAGE = 500;
/** What is exported is more than ten times as much. */
const MOST_GROWTH = 6 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('20,000 resources are sent with the memory of a page, which is read when the one before was taken', async () => {
  const { projectId, admin } = await makeFhirProject();
  const note = [{ text: 'x'.repeat(3500) }];
  for (let at = 0; at < ALL; at += TOGETHER) {
    await write(ctx, async (w) => {
      const resources = Array.from({ length: TOGETHER }, () => {
        return { resourceType: 'Observation', id: newId(), status: 'final', code: { text: 'x' }, note } as const;
      });
      await createRows(w, projectId, resources, undefined);
      w.audit({ projectId, action: 'resource.create', target: 'Observation' });
    });
  }
  const manifest = await complete(admin, await start(admin, '$export?_type=Observation'));
  expect(manifest.output.map(({ count }) => count)).toEqual([ALL / 2, ALL / 2]);
  const ids = new Set<string>();
  let most = 0;
  const before = heap();
  for (const { url } of manifest.output) {
    const { pathname, searchParams } = new URL(url);
    const [, , , , exportId = '', piece = ''] = pathname.split('/');
    const [project = '', expires = '', signature = ''] = ['project', 'expires', 'signature'].map(
      (name) => searchParams.get(name) ?? '',
    );
    const pages = await fetchPiece(ctx, { projectId: project, exportId, piece, expires, signature }, false);
    let asked = 0;
    let taken = 0;
    const unwatch = watchStatements((text) => {
      // On a cluster a shard is named.
      if (/from \S*resource\S* r where/.test(text)) asked += 1;
    });
    for await (const page of pages!) {
      const lines = page.split('\n').filter(Boolean);
      for (const line of lines) ids.add(JSON.parse(line).id);
      taken += 1;
      expect([asked, lines.length <= PAGE]).toEqual([taken, true]);
      if (taken % 5 === 0) most = Math.max(most, heap() - before);
    }
    unwatch();
  }
  expect(ids.size).toBe(ALL);
  expect(most).toBeLessThan(MOST_GROWTH);
});
