import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { transaction, watchStatements } from '#lib/infra/db/client.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { deleteRow } from '../delete-row.ts';
import { lockRow } from '../find-row.ts';
import { createRows } from '../many/write-many.ts';
import { searchRows } from '../search-rows.ts';
import { ways } from './ways.ts';

const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };
/** More than are fetched to be put into an order, and behind more than are walked over. */
const [OLD, NEW] = [510, 400];

test.each<[string, [string, string][], string]>([
  ['a frequent code', [['code', 'urn:c|frequent']], 'walk'],
  ['a rare code', [['code', 'urn:c|rare']], 'fetch'],
  ['a code of old resources', [['code', 'urn:c|old']], 'plan'],
  ['either of two codes', [['code', 'urn:c|frequent,urn:c|rare']], 'walk'],
  [
    'two conditions',
    [
      ['code', 'urn:c|frequent'],
      ['status', 'final'],
    ],
    'walk',
  ],
  ['all codes but one', [['code:not', 'urn:c|old']], 'walk'],
  [
    'two conditions that few fulfil',
    [
      ['code', 'urn:c|rare'],
      ['status', 'amended'],
    ],
    'plan',
  ],
])('%s, asked again, finds what a plan for it finds, in every order and while others write', async (_, params, way) => {
  const projectId = await fill();
  for (const order of [[], [['_sort', '-date']], [['_sort', 'date']]] as [string, string][][]) {
    ways.clear();
    for (let time = 0; time < 4; time += 1) {
      const query = parseSearch('Observation', [...params, ...order], projectId);
      const { rows, next } = await searchRows(projectId, query, { op: 'all' });
      const planned = await transaction((tx) => searchRows(projectId, query, { op: 'all' }, tx));
      expect([time, rows, next !== undefined]).toEqual([time, planned.rows, planned.next !== undefined]);
      if (time === 2) await change(projectId, rows[0]!.id);
    }
    // By date the old ones are among the others.
    if (order.length === 0) expect([...ways.values()]).toEqual([way]);
  }
});

test('what walked before is fetched when nothing new fits any more, and a project’s way is no other’s', async () => {
  const [projectId, other] = [await fill(), await fill()];
  const ask = async (of: string) => {
    const query = parseSearch('Observation', [['code', 'urn:c|frequent']], of);
    return (await searchRows(of, query, { op: 'all' })).rows.length;
  };
  ways.clear();
  expect([await ask(projectId), await ask(projectId), await ask(projectId)]).toEqual([20, 20, 20]);
  await write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Observation' });
    const later = Array.from({ length: NEW }, () => observation('later'));
    await createRows(w, projectId, later, undefined);
  });
  expect([await ask(projectId), await ask(other)]).toEqual([20, 20]);
  expect([...ways.values()].sort()).toEqual(['asked', 'fetch']);
});

test('a code that is asked for again is one statement, whose plan PostgreSQL keeps', async () => {
  const projectId = await fill();
  for (const code of ['frequent', 'rare']) {
    const query = parseSearch('Observation', [['code', `urn:c|${code}`]], projectId);
    const ask = () => searchRows(projectId, query, { op: 'all' });
    for (let time = 0; time < 3; time += 1) await ask();
    const kept: boolean[] = [];
    const stop = watchStatements((_text, _params, isKept) => void kept.push(isKept));
    await ask();
    stop();
    expect(kept).toEqual([true]);
  }
});

async function fill(): Promise<string> {
  const projectId = randomUUID();
  await write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Observation' });
    const old = Array.from({ length: OLD }, (_, at) => observation('old', at));
    const fresh = Array.from({ length: NEW }, (_, at) => observation(codeOf(at), at));
    await createRows(w, projectId, old, undefined);
    await createRows(w, projectId, fresh, undefined);
  });
  return projectId;
}

function codeOf(at: number): string {
  if (at % 100 === 0) return 'rare';
  return at % 3 === 0 ? 'frequent' : 'other';
}

/** A tenth has no date. */
function observation(code: string, at = 0): Stored<Resource> {
  const date = new Date(Date.UTC(2020, 0, 1 + ((at * 37) % 400))).toISOString().slice(0, 10);
  return {
    resourceType: 'Observation',
    id: randomUUID(),
    status: at % 5 === 0 ? 'amended' : 'final',
    code: { coding: [{ system: 'urn:c', code }] },
    ...(at % 10 === 0 ? {} : { effectiveDateTime: date }),
  } as Stored<Resource>;
}

/** One of each code comes, and this one goes. */
async function change(projectId: string, id: string): Promise<void> {
  await write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Observation' });
    await createRows(
      w,
      projectId,
      ['old', 'frequent', 'rare'].map((code) => observation(code, 1)),
      undefined,
    );
    const row = await lockRow(w.tx, projectId, 'Observation', id);
    await deleteRow(w, row!, undefined);
  });
}
