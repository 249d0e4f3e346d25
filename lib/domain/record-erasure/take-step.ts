import type { ErasureCounts, ErasureProgress, RecordErasureRow } from '#lib/infra/db/schema/fhir/record-erasure.ts';
import { typeName } from '#lib/protocol/fhir/type-ids.ts';
import type { TypeCounts } from '#lib/protocol/record-erasure/answers.ts';
import { erasuresTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { forgetRefusals } from '../refusals/refusal-rows.ts';
import { eraseRows } from '../store/delete-row.ts';
import { lockRows } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { patientsOf, recordTypes } from './compartment.ts';
import { add, sumOf } from './count-record.ts';
import { eraseBinaries } from './erase-binaries.ts';
import { findMembersOn } from './find-members-on.ts';
import { findGraves, findLastVersions, findPage, type Place, splitRows } from './find-record.ts';
import { forgetBeside } from './forget-beside.ts';

/** What came while it was erased is looked for so often. */
const MOST_PASSES = 5;

export type Next = Pick<RecordErasureRow, 'state' | 'progress' | 'counts' | 'startedAt' | 'finishedAt'>;
type Erased = { counts: ErasureCounts; progress: ErasureProgress; now: TypeCounts };

/** The next piece of an erasure, and how it stands then. */
export async function takeStep(w: Write, row: RecordErasureRow): Promise<Next> {
  const counts = structuredClone(row.counts);
  const erased: Erased = { counts, progress: structuredClone(row.progress), now: {} };
  const isDone = await STAGES[row.progress.stage](w, row, erased);
  const target = `Patient/${row.patientId}`;
  const told = { job: row.id, askedBy: row.askedBy };
  if (isDone || sumOf(erased.now) > 0) {
    const done = { done: true, erased: counts.erased, kept: counts.kept, versions: counts.versions };
    const after = { ...told, ...(isDone ? done : { erased: erased.now }) };
    w.audit({ projectId: row.projectId, action: 'record.erase', target, after });
  }
  if (isDone) w.invalidate(erasuresTag(row.projectId));
  const at = new Date();
  return {
    state: isDone ? 'done' : 'running',
    ...{ counts, progress: isDone ? { ...erased.progress, binaries: [] } : erased.progress },
    ...{ startedAt: row.startedAt ?? at, finishedAt: isDone ? at : null },
  };
}

type Stage = (w: Write, row: RecordErasureRow, erased: Erased) => Promise<boolean>;

const STAGES: Record<ErasureProgress['stage'], Stage> = {
  current: eraseCurrent,
  deleted: eraseDeleted,
  beside: async (w, row, { progress }) => {
    await forgetBeside(w, row);
    progress.stage = 'binaries';
    return false;
  },
  binaries: async (w, row, { progress, counts, now }) => {
    const { rows, versions } = await eraseBinaries(w, row, progress.binaries);
    counts.versions += versions;
    for (const each of [counts.erased, now]) add(each, 'Binary', rows);
    return true;
  },
};

async function eraseCurrent(w: Write, row: RecordErasureRow, erased: Erased): Promise<boolean> {
  const { progress, counts } = erased;
  const page = await findPage(w.tx, row, progress.after);
  const last = page.at(-1);
  if (!last) {
    const isAgain = progress.found > 0 && progress.pass < MOST_PASSES;
    Object.assign(progress, { after: [0, ''], found: 0, pass: progress.pass + 1 }, isAgain ? {} : { stage: 'deleted' });
    // The next pass finds them again.
    if (isAgain) counts.kept = {};
    return false;
  }
  for (const [type, ids] of byType(page)) {
    const live = (await lockRows(w.tx, row.projectId, type, ids)).filter(({ deleted }) => !deleted);
    await eraseOwn(w, row, type, live, erased);
  }
  progress.after = [...last];
  return false;
}

/** What was deleted before is in no index, and in the histories still. */
async function eraseDeleted(w: Write, row: RecordErasureRow, erased: Erased): Promise<boolean> {
  const page = await findGraves(w.tx, row.projectId, recordTypes(), erased.progress.after);
  for (const [type, ids] of byType(page)) {
    const number = page.find(([of]) => typeName(of) === type)![0];
    const were = await findLastVersions(w.tx, row, number, ids);
    if (were.length === 0) continue;
    const graves = await lockRows(
      w.tx,
      row.projectId,
      type,
      were.map(({ id }) => id),
    );
    const isGrave = new Set(graves.filter(({ deleted }) => deleted).map(({ id }) => id));
    const own = were.filter((version) => isGrave.has(version.id) && patientsOf(toResource(version)).has(row.patientId));
    await eraseOwn(w, row, type, own, erased);
  }
  const last = page.at(-1);
  if (last) erased.progress.after = [...last];
  else erased.progress.stage = 'beside';
  return false;
}

async function eraseOwn(w: Write, whose: RecordErasureRow, type: string, rows: Row[], erased: Erased): Promise<void> {
  const { projectId } = whose;
  const { own, shared } = await splitRows(w.tx, whose, rows);
  const members = await findMembersOn(
    w.tx,
    projectId,
    own.map(({ id }) => `${type}/${id}`),
  );
  const used = new Set(members.map(({ profile }) => profile));
  const ids = own.map(({ id }) => id).filter((id) => !used.has(`${type}/${id}`));
  add(erased.counts.kept, type, shared.length + own.length - ids.length);
  if (ids.length === 0) return;
  const gone = await eraseRows(w, { projectId, type }, ids);
  await forgetRefusals(w.tx, projectId, type, ids);
  for (const counts of [erased.counts.erased, erased.now]) add(counts, type, gone.rows);
  erased.counts.versions += gone.versions;
  erased.progress.found += gone.rows;
  erased.progress.binaries = [...new Set([...erased.progress.binaries, ...gone.binaries])];
}

function byType(page: readonly Place[]): [string, string[]][] {
  const groups = Map.groupBy(page, ([type]) => type);
  return [...groups].map(([type, places]) => [typeName(type), places.map(([, id]) => id)]);
}
