import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { runSql, searches } from '#lib/infra/db/client.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { type Expr, evaluate } from '#lib/protocol/fhir/search/ir.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { makeWordedProject } from '#lib/testing/fhir/text-search.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import { START_CTX } from '#lib/testing/world.ts';
import { write } from '../../audit/write.ts';
import { createRows } from '../many/write-many.ts';
import { knowParams } from '../own-params/know-params.ts';
import { type Row, toResource } from '../row.ts';
import { matching, searchRows } from '../search-rows.ts';

const ALL: Expr = { op: 'all' };

/** As people write them, and as a plain reading has them. */
const WRITTEN: Record<string, string> = {
  Bone: 'bone',
  LIVER: 'liver',
  Ödem: 'odem',
  lung: 'lung',
  糖: '糖',
  '7': '7',
};
const word = fc.constantFrom(...Object.keys(WRITTEN));
const gap = fc.constantFrom(' ', ', ', ' – ', '\n', '/');
const text = fc
  .array(fc.tuple(word, gap), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.map(([one, after]) => one + after).join(''));
const observations: fc.Arbitrary<Resource> = fc
  .record({ notes: fc.array(text, { maxLength: 3 }), told: fc.option(text) })
  .map(({ notes, told }) => ({
    resourceType: 'Observation',
    status: 'final',
    code: {},
    note: notes.map((one) => ({ text: one })),
    ...(told !== null && {
      text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${told}</div>` },
    }),
  }));

type Tree = { words: string[] } | { op: 'and' | 'or'; args: Tree[] };
const phrases = fc.array(word, { minLength: 1, maxLength: 3 }).map((words): Tree => ({ words }));
const { tree } = fc.letrec<{ tree: Tree; group: Tree }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, phrases, tie('group')),
  group: fc.record({ op: fc.constantFrom('and', 'or'), args: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
}));

function toQuery(asked: Tree): string {
  if ('words' in asked) return asked.words.length === 1 ? asked.words[0]! : `"${asked.words.join(' ')}"`;
  return `(${asked.args.map(toQuery).join(asked.op === 'or' ? ' OR ' : ' ')})`;
}

/** By comparing each word with each, without any index. */
function judge(asked: Tree, texts: readonly string[]): boolean {
  if (!('words' in asked)) {
    return asked.op === 'or'
      ? asked.args.some((one) => judge(one, texts))
      : asked.args.every((one) => judge(one, texts));
  }
  return texts.some((one) => {
    const found = one.split(/[ ,–\n/]+/).map((written) => WRITTEN[written]);
    return found.some((_, at) => asked.words.every((wanted, after) => found[at + after] === WRITTEN[wanted]));
  });
}

function textsOf(resource: Resource, code: string): string[] {
  const { note = [], text: told } = resource as { note?: { text: string }[]; text?: { div: string } };
  const narrative = told ? [told.div.replace(/<[^>]*>/g, '')] : [];
  return code === '_text' ? narrative : [...note.map((one) => one.text), ...narrative];
}

const stored: { projectId: string; rows: Row[] }[] = [];

/** Once, whatever is asked of them. */
async function corpus(): Promise<{ projectId: string; rows: Row[] }> {
  if (stored[0]) return stored[0];
  const { projectId } = await makeWordedProject();
  const made = fc.sample(observations, { numRuns: 60, seed: 7 });
  const rows = await write(START_CTX, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Observation' });
    return createRows(
      w,
      projectId,
      made.map((one, n) => ({ ...one, id: `o${n}` })),
      undefined,
    );
  });
  stored.push({ projectId, rows });
  return { projectId, rows };
}

test('what an index finds by words is what a plain reading finds, row by row as by all, and what is judged in memory', async () => {
  const { projectId, rows } = await corpus();
  await fc.assert(
    fc.asyncProperty(tree, fc.constantFrom('_text', '_content'), async (asked, code) => {
      const query = parseSearch(
        'Observation',
        [
          [code, toQuery(asked)],
          ['_count', '100'],
        ],
        projectId,
      );
      const wanted = rows.filter((row) => judge(asked, textsOf(toResource(row), code))).map(({ id }) => id);
      const found = await searchRows(projectId, query, ALL);
      expect(found.rows.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
      const eachRow = matching({ projectId, type: 'Observation', correlated: true }, query.filter);
      const one = await runSql<{ id: string }>(searches(), sql`select r.id from resource r where ${eachRow}`);
      expect(one.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
      const judged = rows.filter((row) => {
        return evaluate(query.filter, extract(projectId, toResource(row), fhirBase()), row);
      });
      expect(judged.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
    }),
    { numRuns: 60 },
  );
});

test('a rare word is looked up by its index, and no table is read from end to end', async (context) => {
  skipOnCluster(context, 'pages');
  const { projectId } = await makeWordedProject();
  await db().execute(sql`insert into ix_words (project_id, param, words, text, id)
    select ${projectId}::uuid, 1, array[n, n % 7], ' x ', 'filler' || n from generate_series(1, 20000) n`);
  await db().execute(sql`analyze ix_words`);
  await knowParams(projectId);
  const { filter } = parseSearch('Observation', [['_content', 'rare "bone scan"']], projectId);
  const where = matching({ projectId, type: 'Observation', correlated: false }, filter);
  const plan = await runSql<{ 'QUERY PLAN': string }>(
    searches(),
    sql`explain select r.id from resource r where ${where}`,
  );
  const told = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(told).toContain('ix_words_words');
  expect(told).not.toContain('ix_words_id');
  expect(told).not.toContain('Seq Scan on ix_words');
});
