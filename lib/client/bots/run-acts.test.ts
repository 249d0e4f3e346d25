import { expect, test } from 'vitest';
import { toReplayed } from './run-acts.ts';

test('how a job that ran many again ended: its numbers, and whether there are older ones', () => {
  const counts = ['replayed', 'ok', 'failed', 'refused', 'skipped'].map((name, at) => ({ name, valueInteger: at }));
  const job = (parameter: object[]) => ({ output: { resourceType: 'Parameters', parameter } }) as never;
  const told = { replayed: 0, ok: 1, failed: 2, refused: 3, skipped: 4 };
  expect(toReplayed(job(counts))).toEqual(told);
  expect(toReplayed(job([...counts, { name: 'unseen', valueBoolean: true }]))).toEqual({ ...told, unseen: true });
  expect(toReplayed(job([{ name: 'outcome' }]))).toBeUndefined();
});
