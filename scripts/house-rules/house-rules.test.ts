import { expect, test } from 'vitest';
import { apiRoots } from './api-roots.ts';
import { contracts } from './contracts.ts';
import { crowdedFolders } from './crowded-folders.ts';
import { patientTests } from './patient-tests.ts';
import { retentions } from './retentions.ts';
import { sharedTypeNames } from './shared-type-names.ts';
import type { Source } from './source.ts';
import { tableWriters } from './table-writers.ts';
import { unusedDependencies } from './unused-dependencies.ts';

function sourcesOf(files: Record<string, string>): Source[] {
  return Object.entries(files).map(([path, text]) => ({ path, text }));
}

function empty(...paths: string[]): Source[] {
  return paths.map((path) => ({ path, text: '' }));
}

test('a folder holds 24 source files; tests, data and declarations do not count', () => {
  const files = Array.from({ length: 24 }, (_, at) => `lib/x/file${at}.ts`);
  expect(crowdedFolders(empty(...files, 'lib/x/a.test.ts', 'lib/x/b.d.ts', 'lib/x/generated/c.ts'))).toEqual([]);
  expect(crowdedFolders(empty(...files, 'lib/x/more.ts'))).toEqual([
    expect.stringContaining('lib/x holds 25 source files'),
  ]);
});

test('four files of a folder share a first word, unless it is a verb', () => {
  const named = (word: string, count: number) =>
    empty(...Array.from({ length: count }, (_, at) => `lib/x/${word}-${'abcdef'[at]}.ts`));
  expect(
    crowdedFolders([...named('bot', 4), ...named('find', 6), ...named('use', 6), ...empty('lib/x/bot.ts')]),
  ).toEqual([]);
  expect(crowdedFolders(named('bot', 5))).toEqual([expect.stringContaining('5 files called bot-…')]);
});

const SCHEMA = {
  'lib/infra/db/schema/x.ts':
    "export const visit = pgTable(\n  'visit',\n  {});\nexport const visitNote = pgTable('visit_note', {});",
};
const OWN = "import { visit, visitNote } from '#lib/infra/db/schema/x.ts';\n";
const KEPT = { goes: 'with its day' };
const ROOMS = {
  visit: { room: 'lib/domain/visits', kept: KEPT },
  visit_note: { room: 'lib/domain/visits', kept: KEPT },
};
const OWNER = { 'lib/domain/visits/a.ts': `${OWN}tx.insert(visit); tx.delete(visitNote);` };

test.each([
  ['Drizzle', `${OWN}await tx\n  .update(visit)\n  .set({})`],
  ['an insert in SQL', 'sql`insert into visit (id) values (1)`'],
  ['a delete in SQL', 'sql`DELETE FROM visit v where true`'],
  ['an update in SQL', 'sql`update visit v set a = 1`'],
  ['a table that is put into SQL', `${OWN}sql\`update \${visit} set a = 1\``],
])('a table is written by its room only: %s', (_, text) => {
  const rule = tableWriters(ROOMS, {});
  expect(rule(sourcesOf({ ...SCHEMA, ...OWNER, 'lib/http/door/b.ts': text }))).toEqual([
    'lib/http/door/b.ts writes visit, which only lib/domain/visits writes',
  ]);
});

test('what only looks like a write of a table is none', () => {
  const text = 'map.delete(visit); // an update visit by visit, deleted from visits\nsql`update visits set a = 1`';
  const files = {
    ...SCHEMA,
    ...OWNER,
    'lib/http/door/b.ts': text,
    'lib/http/door/b.test.ts': 'sql`delete from visit`',
  };
  expect(tableWriters(ROOMS, {})(sourcesOf(files))).toEqual([]);
});

test('every table has a room, an exception is used, and who is told the table is listed', () => {
  const files = { ...SCHEMA, ...OWNER, 'lib/infra/db/sweep.ts': `sql\`delete from \${table} t\`` };
  const rooms = {
    visit: { room: 'lib/domain/visits', kept: KEPT, also: { 'lib/domain/people': 'no longer' } },
  };
  expect(tableWriters(rooms, {})(sourcesOf(files))).toEqual([
    'visit_note has no room in table-rooms.ts',
    'lib/domain/visits/a.ts writes visit_note, which only its room writes',
    'lib/infra/db/sweep.ts writes any table, which only its room writes',
    'table-rooms.ts lets lib/domain/people write visit, which it does not',
  ]);
  expect(tableWriters(ROOMS, { 'lib/infra/db/sweep.ts': 'is told' })(sourcesOf(files))).toEqual([]);
});

const SWEEPER = 'lib/http/server/sweeper.ts';
const OVER = 'lib/domain/visits/over.ts';
const KEEPS = { 'lib/base/env.ts': '  RETAIN_VISITS_DAYS: days(1),\n' };

test('what is said to be swept is swept, and what is swept says so', () => {
  const room = 'lib/domain/visits';
  const rooms = { visit: { room, kept: { swept: 'a day' } }, visit_note: { room, kept: KEPT } };
  expect(retentions(rooms)(sourcesOf({ [SWEEPER]: '' }))).toEqual([
    'visit is swept, says table-rooms.ts, but no over.ts names it',
  ]);
  const text = "return { visit: { key: ['id'], which },\n  visit_note: {\n key: ['id'], which } };";
  expect(retentions(rooms)(sourcesOf({ [OVER]: text }))).toEqual([
    `${OVER} drops rows of visit_note, which table-rooms.ts does not say`,
    `${OVER} is not on the sweeper’s list`,
  ]);
});

test('a setting of how long something is kept is asked for by its sweep, and there is none besides', () => {
  const rooms = {
    visit: {
      room: 'lib/domain/visits',
      kept: { swept: 'its day', setting: 'RETAIN_VISITS_DAYS', by: 'lib/x/sweep.ts' },
    },
  };
  const sweeps = (text: string) => ({ 'lib/x/sweep.ts': text, [SWEEPER]: "from '#lib/x/sweep.ts'; '#lib/x/sweep.ts'" });
  const own = 'env().RETAIN_VISITS_DAYS; sql`delete from visit t`';
  expect(retentions(rooms)(sourcesOf({ ...KEEPS, ...sweeps(own) }))).toEqual([]);
  expect(retentions(rooms)(sourcesOf({ ...KEEPS, ...sweeps('sql`delete from visit t`') }))).toEqual([
    'visit is kept by RETAIN_VISITS_DAYS, says table-rooms.ts, but its sweep does not ask',
  ]);
  expect(retentions({})(sourcesOf(KEEPS))).toEqual(['RETAIN_VISITS_DAYS is a setting of no table in table-rooms.ts']);
});

test('no type name is exported by both lib/client and lib/domain', () => {
  const files = {
    'lib/client/a.ts': 'export type Row = {};\nexport type Own = {};\ntype Inner = {};',
    'lib/domain/x/b.ts': 'export type Row = {};\nexport type Inner = {};',
  };
  expect(sharedTypeNames(sourcesOf(files))).toEqual([expect.stringContaining('both export the type Row')]);
});

test('a dependency is imported somewhere, by a stylesheet or settings too, and not only by a test', () => {
  const rule = unusedDependencies('{"dependencies":{"a":"1","@b/c":"1","css":"1","plug":"1","asked":"1","hono":"1"}}');
  const files = {
    'lib/a.ts': "import x from 'a/deep';\nconst c = await import('@b/c');\nrequire.resolve('asked/package.json');",
    'app/g.css': '@import "css";',
    'postcss.config.mjs': "export default { plugins: { 'plug': {} } };",
    'lib/b.test.ts': "import 'hono';",
  };
  expect(rule(sourcesOf(files))).toEqual([expect.stringContaining('hono is a dependency that nothing imports')]);
});

test('one list of the API’s roots: a file that names three has begun another', () => {
  const list = { 'lib/protocol/api-roots.ts': "export const API_ROOTS = ['admin', 'fhir', '.well-known', 'dev'];" };
  const fine = { 'lib/a.ts': "fetch('/admin/projects'); role === 'admin'; go('/fhir/R4'); const dev = '/dev';" };
  expect(apiRoots(sourcesOf({ ...list, ...fine }))).toEqual([]);
  for (const text of ["['admin', '/fhir', `dev`]", "matcher: '/((?!admin/|fhir/|\\\\.well-known/).*)'"]) {
    expect(apiRoots(sourcesOf({ ...list, 'lib/b.ts': text }))).toEqual([
      expect.stringContaining('lib/b.ts names admin'),
    ]);
  }
  expect(apiRoots([])).toEqual([expect.stringContaining('lists no root')]);
});

test.each([
  ['ALTER TABLE "a" DROP COLUMN "b"', 'drops'],
  ['drop table a', 'drops'],
  ['ALTER TABLE "a" RENAME COLUMN "b" TO "c"', 'renames'],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE text', 'changes the type'],
  ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL', 'demands'],
  ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL', 'demands'],
])('a migration under which the release before still serves, or says why it need not: %s', (statement, what) => {
  const text = `CREATE INDEX "x" ON "a" ("b");--> statement-breakpoint\n${statement};`;
  expect(contracts(sourcesOf({ 'drizzle/0010_x.sql': text }))).toEqual([
    expect.stringContaining(`drizzle/0010_x.sql ${what}`),
  ]);
  const said = text.replace('breakpoint\n', 'breakpoint\n-- contract: nothing reads it since 0.4\n');
  expect(contracts(sourcesOf({ 'drizzle/0010_x.sql': said }))).toEqual([]);
  expect(contracts(sourcesOf({ 'drizzle/0006_x.sql': text }))).toEqual([]);
});

test('what a migration adds beside the old needs no reason', () => {
  const text = `-- It does not rename, nor drop table or column.
    CREATE TABLE "a" ("id" uuid PRIMARY KEY NOT NULL, "type" text NOT NULL);--> statement-breakpoint
    ALTER TABLE "a" ADD COLUMN "b" text DEFAULT '' NOT NULL;--> statement-breakpoint
    ALTER TABLE "a" ADD COLUMN "c" text;--> statement-breakpoint
    DROP INDEX "a_b";`;
  expect(contracts(sourcesOf({ 'drizzle/0011_x.sql': text }))).toEqual([]);
});

test('tests wait for facts, not for a time or an idle network, and judge no duration', () => {
  const wait = 'await page.waitForTimeout(300);';
  const patient = 'await vi.waitUntil(() => isDone(left, 1), { timeout: 20_000 });';
  for (const lie of [
    wait,
    "await page.waitForLoadState('networkidle');",
    'expect(Date.now() - started).toBeLessThan(9);',
    'await vi.waitFor(async () => expect(await find(1, { deep: [2, 3] })).toBe(1));',
    'await vi.waitUntil(\n  () => isDone(left),\n);',
  ]) {
    expect(patientTests(sourcesOf({ 'e2e/a.spec.ts': lie }))).toEqual([expect.stringContaining('e2e/a.spec.ts')]);
  }
  expect(
    patientTests(
      sourcesOf({ 'lib/x/clock.ts': wait, 'e2e/b.spec.ts': 'await settled(page);', 'lib/y.test.ts': patient }),
    ),
  ).toEqual([]);
});
