import { trackJob } from '#lib/domain/runs/async-jobs.ts';

/** A process to be killed: it has the asynchronous job of this id, which never ends, until its parent ends it. */
trackJob(process.argv[2] ?? '', { abort: new AbortController(), done: new Promise(() => undefined) });
process.once('disconnect', () => process.exit(0));
