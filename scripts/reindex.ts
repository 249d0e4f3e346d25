import { parseArgs } from 'node:util';
import { isUuid } from '#lib/base/ids.ts';
import { type ReindexProgress, type ReindexScope, reindex } from '#lib/domain/store/reindex.ts';
import { closeDb, lookAtCluster } from '#lib/infra/db/client.ts';
import { closeLeases } from '#lib/infra/db/single/leases.ts';
import { isResourceType, typeName } from '#lib/protocol/fhir/type-ids.ts';
import { prepareDatabase } from './database.ts';
import { atEnd, end, isEnding, withEnd } from './lifetime.ts';
import { refuse } from './progress.mjs';
import { prepareSettings } from './settings.ts';

const TELL_EVERY_MS = 2000;
const USAGE = 'npm run reindex -- [--project <id>] [--type <ResourceType>] [--afresh]';

type Counts = Omit<ReindexProgress, 'at'>;

/**
 * `npm run reindex`: what is stored, through today's extractor, while the server serves. A run that was stopped or killed goes on where it
 * was the next time; `--afresh` begins anew.
 */
export function run(args: string[]): Promise<void> {
  return withEnd(async () => {
    const { scope, afresh } = read(args);
    await prepareDatabase(await prepareSettings('production', { listens: false }));
    await lookAtCluster();
    const stop = new AbortController();
    const work = reindex(scope, { afresh, stopped: stop.signal, onProgress: teller() });
    atEnd(async () => {
      stop.abort();
      const counts = await work.catch(() => undefined);
      if (counts && stopped) console.log(`Stopped; the next run goes on here. ${toCounts(counts)}`);
      await Promise.all([closeDb(), closeLeases()]);
    });
    let stopped = true;
    const counts = await work.catch((error: Error) => refuse(error.message));
    // What is being ended says so itself.
    if (isEnding()) return;
    stopped = false;
    console.log(`✓ ${toCounts(counts)}`);
    await end(0);
  });
}

function read(args: string[]): { scope: ReindexScope; afresh: boolean } {
  const { project, type, afresh } = parse(args);
  if (project !== undefined && !isUuid(project)) refuse(`--project: ${project} is no id of a project.\n${USAGE}`);
  if (type !== undefined && !isResourceType(type)) refuse(`--type: ${type} is no type of resources.\n${USAGE}`);
  return { scope: { projectId: project, type }, afresh };
}

function parse(args: string[]): { project?: string; type?: string; afresh: boolean } {
  try {
    return parseArgs({
      args,
      options: { project: { type: 'string' }, type: { type: 'string' }, afresh: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    return refuse(`${(error as Error).message}\n${USAGE}`);
  }
}

/** A line every now and then: how far, how fast in this run, and where. */
function teller(): (progress: ReindexProgress) => void {
  const began = performance.now();
  let last = began;
  let before: number | undefined;
  return (progress) => {
    before ??= progress.looked;
    const now = performance.now();
    if (now - last < TELL_EVERY_MS) return;
    last = now;
    const rate = Math.round(((progress.looked - before) / (now - began)) * 1000);
    console.log(`… ${toCounts(progress)} ${rate.toLocaleString('en')}/s, at ${where(progress)}`);
  };
}

function where({ at }: ReindexProgress): string {
  return `${typeName(at.typeId)} of project ${at.projectId}`;
}

function toCounts({ looked, changed, overtaken, refused }: Counts): string {
  const say = (count: number) => count.toLocaleString('en');
  const parts = [
    `${say(looked)} looked at, ${say(changed)} brought up to date`,
    ...(overtaken > 0 ? [`${say(overtaken)} changed meanwhile`] : []),
    ...(refused > 0 ? [`${say(refused)} could not be indexed (see the log)`] : []),
  ];
  return `${parts.join(', ')}.`;
}
