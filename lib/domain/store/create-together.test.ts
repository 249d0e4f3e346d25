import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { asWritten } from '#lib/infra/db/cluster/at-home.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { createRow, toIndexed } from './create-row.ts';
import { createTogether } from './create-together.ts';

const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };
const NAMES = ['NULL', '', 'a"b\\c', '{x,y}', "it's", 'Zoë\n\t😀', 'null', '\\\\', ',', '$1'];

const SAMPLES: Resource[] = [
  ...NAMES.map((name) => ({
    resourceType: 'Organization',
    name: `${name}.`,
    alias: [name || 'x', 'B'],
    meta: { tag: [{ system: 's', code: name || 'x' }] },
  })),
  { resourceType: 'Observation', status: 'final', code: { text: 'no date' } },
  { resourceType: 'Observation', status: 'final', code: { text: 'a day' }, effectiveDateTime: '2020-02-29' },
  { resourceType: 'Observation', status: 'final', code: { text: 'open' }, effectivePeriod: { start: '2020-01-01' } },
  { resourceType: 'Basic', code: {} },
  {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '29463-7' }] },
    valueQuantity: { value: 71.5, comparator: '>', unit: 'kg', system: 'http://unitsofmeasure.org', code: 'kg' },
    component: [{ code: {}, valueRange: { low: { value: 1 } } }],
  },
];

/** All that is stored of a row, but who and when. */
async function storedOf(projectId: string, id: string) {
  const [row] = await db().execute(sql`
    select type_id, version, deleted, sort_date, sort_end, author, meta, content, tokens::text,
      (select array_agg((param, value) order by param, value)::text from ix_string s where s.project_id = ${projectId} and s.id = r.id) as strings,
      (select array_agg((param, lo, hi) order by param, lo)::text from ix_date d where d.project_id = ${projectId} and d.id = r.id) as dates,
      (select array_agg((param, key, tags, lo, hi, base, base_lo, base_hi) order by param)::text from ix_quantity q
        where q.project_id = ${projectId} and q.id = r.id) as quantities,
      (select (version, op, author, meta, content)::text from resource_history h
        where h.project_id = ${projectId} and h.type_id = r.type_id and h.id = r.id and h.last_updated = r.last_updated) as history
    from resource r where r.project_id = ${projectId} and r.id = ${id}`);
  return row;
}

test('rows that are stored together are stored as each would be alone', async () => {
  const { projectId } = await makeFhirProject();
  const options = { author: 'Practitioner/x' };
  const alone = await write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'x' });
    return Promise.all(SAMPLES.map((resource) => createRow(w, projectId, resource, options)));
  });
  const together = SAMPLES.map((resource) => toIndexed({ actor: undefined }, projectId, resource, options));
  const entry = { projectId, action: 'resource.create', target: 'x' } as const;
  await Promise.all(together.map((indexed) => createTogether(ctx, indexed, entry)));
  for (const [at, { id }] of alone.entries()) {
    const one = await storedOf(projectId, id);
    expect(one).toBeDefined();
    expect(await storedOf(projectId, together[at]!.row.id)).toEqual(one);
  }
});

test('what comes at the same moment is one statement for each project, with an audit row each', async () => {
  const projects = [await makeFhirProject(), await makeFhirProject()];
  const sent: unknown[] = [];
  const stop = watchStatements((text, params) => {
    if (asWritten(text, params).includes('insert into resource ')) sent.push(params[0]);
  });
  const answers = await Promise.all(
    projects.flatMap(({ admin }) =>
      Array.from({ length: 20 }, (_, n) =>
        callFhir(admin, 'POST', 'Organization', { body: { resourceType: 'Organization', name: `Ward ${n}` } }),
      ),
    ),
  );
  stop();
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(sent.length).toBeLessThan(40);
  expect(new Set(sent)).toEqual(new Set(projects.map(({ projectId }) => projectId)));
  for (const [at, { projectId, admin }] of projects.entries()) {
    const own = answers.slice(20 * at, 20 * at + 20).map(({ body }) => body.id as string);
    const { body } = await callFhir(admin, 'GET', 'Organization?_count=100');
    expect(body.entry.map((found: { resource: { id: string } }) => found.resource.id).sort()).toEqual(own.sort());
    const audited = await db().execute<{ target: string; actor: string }>(
      sql`select target, actor from audit_event where project_id = ${projectId} and target like 'Organization/%'`,
    );
    expect(audited.map(({ target }) => target).sort()).toEqual(own.map((id) => `Organization/${id}`).sort());
    expect(new Set(audited.map(({ actor }) => actor))).toEqual(new Set([admin.profile]));
  }
});

test('where one cannot be stored, it alone fails, and nothing of it stays', async (test) => {
  skipOnCluster(test, 'triggers');
  const { projectId, admin } = await makeFhirProject();
  await db().execute(sql`
    create function refuse_poison() returns trigger language plpgsql as $$ begin raise exception 'poison' using errcode = '22000'; end $$`);
  await db().execute(sql`
    create trigger poison before insert on resource_other for each row when (new.content->>'name' = 'poison') execute function refuse_poison()`);
  try {
    const names = Array.from({ length: 12 }, (_, n) => (n === 5 ? 'poison' : `Ward ${n}`));
    const answers = await Promise.all(
      names.map((name) => callFhir(admin, 'POST', 'Organization', { body: { resourceType: 'Organization', name } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map((name) => (name === 'poison' ? 500 : 201)));
    const { body } = await callFhir(admin, 'GET', 'Organization?_summary=count');
    expect(body.total).toBe(11);
    const [counted] = await db().execute<{ history: number; audit: number }>(sql`
      select (select count(*)::int from resource_history where project_id = ${projectId} and content like '%"name":"%' and content ~ 'Ward|poison') as history,
        (select count(*)::int from audit_event where project_id = ${projectId} and target like 'Organization/%') as audit`);
    expect(counted).toEqual({ history: 11, audit: 11 });
  } finally {
    await db().execute(sql`drop function refuse_poison() cascade`);
  }
});
