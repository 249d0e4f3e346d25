import { expect, test } from 'vitest';
import { pace } from './pace.ts';

test('what a server waits is what it should be where no test hurries it', () => {
  expect(pace.evenAnswerMs).toBeGreaterThanOrEqual(150);
  // Heartbeats are ten seconds apart.
  expect(pace.jobWatchSeconds).toBe(10);
  expect(pace.jobLostMs).toBeGreaterThanOrEqual(4 * pace.jobBeatMs);
  expect(pace.jobLostMs + pace.lostJobWatchMs).toBeLessThanOrEqual(15_000);
});
