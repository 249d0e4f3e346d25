/**
 * How long a server waits, where tests would wait with it: lib/testing/process-setup.ts hurries it there. Nothing else changes this, and no
 * setting: each is what the comment beside it gives as the reason.
 */
export const pace = {
  /** A password reset answers after the same while for every address: longer than the transaction that a known one costs. */
  evenAnswerMs: 200,
  /** So often pg-boss looks for jobs whose process was killed: it is missed when the heartbeat of its job stops. */
  jobWatchSeconds: 10,
  /** So often a process says that its asynchronous jobs run, and learns which were cancelled elsewhere. */
  jobBeatMs: 2000,
  /** Missed several times over: the process of a job is gone. */
  jobLostMs: 10_000,
  /** So often lost jobs are looked for, when nobody asks for them. */
  lostJobWatchMs: 5000,
  /** Until records that wait for a database that was away are written again: it comes back when it does. */
  recordAgainMs: 1000,
};
