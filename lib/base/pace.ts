/**
 * How long a server waits, where tests would wait with it: lib/testing/processes/process-setup.ts hurries it there. Nothing else changes this, and no
 * setting: each is what the comment beside it gives as the reason.
 */
export const pace = {
  /** A password reset answers after the same while for every address: longer than the transaction that a known one costs. */
  evenAnswerMs: 200,
  /** So often the listener of invalidations sends a notice to itself: what is cached may be as old as that and the limit together, when it hears nothing. */
  proofEveryMs: 10_000,
  /** So long it may take. */
  proofLimitMs: 5000,
  /** So long at most a change that was committed waits until it is known everywhere. */
  roundLimitMs: 500,
  /** So often pg-boss looks for jobs whose process was killed: it is missed when the heartbeat of its job stops. */
  jobWatchSeconds: 10,
  /** So long after a failure a version of a bot that is tried is looked at: the records of its runs are there by then. */
  canaryLookMs: 250,
  /** From so long on, the next attempt of a delivery that failed waits: whoever restarts is back by the second or third. */
  hookRetrySeconds: 5,
  /** So often a process says that its asynchronous jobs run, holds again what a closed connection took from it, and learns which were cancelled elsewhere. */
  jobBeatMs: 1000,
  /** For so long, seen by one who looks, nobody held a job or spoke of it: its process is gone. One that was cut off holds it again by then. */
  jobFreeMs: 3000,
  /** For so long a process that holds its job said nothing: its machine is gone, and PostgreSQL was not told. */
  jobMuteMs: 60_000,
  /** So often it is said that what a caller has named is being done: where nobody has for two minutes, it may be done anew. */
  claimBeatMs: 15_000,
  /** So long at most a dry run waits for its turn: somebody waits for it. */
  dryRunWaitMs: 20_000,
  /** So often lost jobs are looked for. */
  lostJobWatchMs: 1000,
  /** So often a process asks whether it may do what one does for all, because that one is gone. */
  leadWatchMs: 1000,
  /** For so long after its instant an export is not planned: a change is dated a moment before it is sent to the database. */
  exportSettleMs: 1000,
  /** Until records that wait for a database that was away are written again: it comes back when it does. */
  recordAgainMs: 1000,
  /** So often it is looked what killed processes of the machine have left of runs: whoever replaces one looks at once. */
  leftRunsMs: 60_000,
  /** So long what a process has cached may still be used there after a change that it did not hear of: `proofEveryMs` and `proofLimitMs`. */
  deafMs: 15_000,
  /** So often search parameters that are to be indexed are looked for: searches with them wait. */
  paramWatchMs: 2000,
  /** So often changes of accounts whose time has come are looked for: they wait for hours or days. */
  changeWatchMs: 20_000,
  /** So often erasures of records that are unfinished are looked for: somebody may be waiting for one. */
  erasureWatchMs: 2000,
  /** Between two looks for access reviews that were closed. */
  reviewWatchMs: 2000,
  /** So often bots are looked for of which administrators want to be told: each is looked at once a minute. */
  alertWatchMs: 15_000,
  /** So often a process that runs bots for long asks which of these runs are to end. */
  stoppedRunsMs: 1000,
  /** So often new runs are looked for, where somebody follows them. */
  liveRunsMs: 1000,
  /** So often it is looked whether who follows them still may, and whether there is something to say. */
  liveJudgeMs: 2000,
  /** So long at most nothing is said to them: proxies end what is silent for half a minute. */
  liveBeatMs: 10_000,
  /** So long at most nothing is said to who waits for a run by a stream, as there. */
  streamBeatMs: 10_000,
  /** So often it is looked whether the time of a bot has come: it is a minute, and to be punctual. */
  cronWatchMs: 1000,
  /** So often imports that are unfinished are looked for: somebody may be waiting for one. */
  importWatchMs: 2000,
  /** For so long an import rests whose source fails, twice as long after each further failure. */
  importRetryMs: 5000,
  /** Between two steps of a sweep: what else the disk and the locks are wanted for comes first. */
  sweepPauseMs: 100,
  /** So often feeds of HL7 v2 are looked for that are to be listened to, and said how they do: who has made one tries it next. */
  hl7WatchMs: 1000,
  /** So often who waits for the end of an HL7 v2 message looks for it where it is kept: it may have ended otherwise than by a run. */
  hl7LookMs: 5000,
  /** So long a message of theirs waits whose bot has failed, and five times as long the second time. */
  hl7RetryMs: 1000,
  /** So long what waits for a bot that is off waits for it. */
  hl7OffMs: 3_600_000,
  /** So long a message may take from its first byte to its last. */
  mllpMessageMs: 60_000,
  /** So long at most somebody who calls a port of HL7 v2 by TLS is unknown. */
  mllpHandshakeMs: 10_000,
  /** So long who has said all may wait for its answer: it may be gone. */
  mllpLeavingMs: 60_000,
  /** So long a connection may be silent: systems keep theirs open over quiet hours. */
  mllpIdleMs: 24 * 3_600_000,
  /** For each moment of work, so long a reindex rests: the server that runs beside it has the rest of the database. */
  reindexRest: 1,
  /** So long after its start a server takes the release before to be gone: processes are replaced one after the other. */
  rollOutMs: 120_000,
  /** So long the jobs of the queue are not counted anew for who looks at the metrics: all of them are looked at. */
  queueCountMs: 10_000,
};
