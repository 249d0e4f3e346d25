import { expect, test } from 'vitest';
import type { BulkImportFileRow } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { readBatches } from './read-batches.ts';

async function* empty(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(300_000, '\n');
}

test('others come first every now and then while lines are passed over that are done with', async () => {
  const from = { line: 0, place: 0, hash: '' };
  const source = { chunks: empty(), from, etag: null, packed: false };
  let others = 0;
  const other = setInterval(() => {
    others += 1;
  }, 1);
  const read = readBatches(source, { line: 300_001, hash: '' } as BulkImportFileRow).next();
  await expect(read).rejects.toThrow('has changed');
  clearInterval(other);
  expect(others).toBeGreaterThan(2);
});
