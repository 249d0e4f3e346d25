import { trackJob } from '#lib/domain/runs/async-jobs.ts';

const [projectId = '', id = ''] = process.argv.slice(2);

/** A process to be killed: it has this asynchronous job, which never ends, until its parent ends it. */
trackJob(projectId, id, { abort: new AbortController(), done: new Promise(() => undefined) });
process.once('disconnect', () => process.exit(0));
