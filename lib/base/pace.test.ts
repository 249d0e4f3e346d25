import { expect, test } from 'vitest';
import { pace } from './pace.ts';

test('what a server waits is what it should be where no test hurries it', () => {
  expect(pace.evenAnswerMs).toBeGreaterThanOrEqual(150);
  // Heartbeats are ten seconds apart.
  expect(pace.jobWatchSeconds).toBe(10);
  expect(pace.jobFreeMs).toBeGreaterThanOrEqual(3 * pace.jobBeatMs);
  expect(pace.jobMuteMs).toBeGreaterThanOrEqual(30 * pace.jobBeatMs);
  // A revoked session that nobody is told of.
  expect(pace.proofEveryMs + pace.proofLimitMs).toBeLessThanOrEqual(15_000);
  // Silent for a beat, seen, and seen again.
  expect(pace.jobBeatMs + pace.jobFreeMs + 2 * pace.lostJobWatchMs).toBeLessThanOrEqual(6000);
});
