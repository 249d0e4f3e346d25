import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { upkeep } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { CTX, makeClient } from '#lib/testing/people.ts';
import { countRows, importFile } from '#lib/testing/project-files.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';
import { removeProjects } from './remove-projects.ts';

const DAY_MS = 86_400_000;
const close = (world: World, more: object = { remove: true }, bearer?: string) =>
  world.call('POST', '/close', { body: { name: 'Test project', ...more }, bearer });
const waits = async ({ projectId }: World) =>
  (await db().select().from(upkeep)).some(({ name }) => name === `remove ${projectId}`);
/** What stays of a project: its audit log, with its chain. */
const LOG = ['audit_chain', 'audit_event', 'audit_head', 'audit_seal'];

test('what the owner closed for good is gone after thirty days, row by row in all tables, and told by the log', async () => {
  const root = await createSuperAdmin();
  const world = await createWorld();
  const { projectId, owner } = world;
  const client = await makeClient(projectId);
  await callApi(owner.bearer, 'POST', '/fhir/R4/Patient', {
    body: { resourceType: 'Patient', name: [{ family: 'X' }] },
  });
  const type = { 'content-type': 'application/octet-stream' };
  await callApi(owner.bearer, 'POST', '/fhir/R4/Binary', { body: new Uint8Array(10), headers: type });
  await world.call('PUT', '/secrets/KEY', { body: { valueString: 'x' } });
  await world.call('POST', '/bot', { body: { name: 'Greeter' } });
  await world.call('POST', '/domains', { body: { domain: `d${projectId.slice(-8)}.example.com` } });
  const own = await world.invite({ scope: 'project', email: 'gone@example.com' });
  await world.invite({ email: 'elsewhere@example.com', admin: true });
  const file = (await callApi(root, 'GET', `/admin/projects/${projectId}/export`)).text;
  const other = await createWorld();
  const before = await countRows(other.projectId);

  const closed = await close(world);
  expect(closed.body).toMatchObject({ closed: true, reopenUntil: closed.body.removeAt });
  const at = Date.parse(closed.body.removeAt);
  expect(Math.round((at - Date.now()) / DAY_MS)).toBe(30);
  const [mail] = await waitingMail(owner.email);
  expect(mail).toMatchObject({ template: 'project-removal', params: { projectName: 'Test project' } });
  const told = await waitingMail('elsewhere@example.com');
  expect(told.map(({ template }) => template)).toContain('project-removal-told');

  // Not before its day. A week before, the owner hears of it again, once.
  await removeProjects(CTX, undefined, at - 8 * DAY_MS);
  expect((await waitingMail(owner.email)).filter(({ template }) => template === 'project-removal')).toHaveLength(1);
  for (const days of [6, 5, 1]) await removeProjects(CTX, undefined, at - days * DAY_MS);
  expect((await waitingMail(owner.email)).filter(({ template }) => template === 'project-removal')).toHaveLength(2);
  expect((await countRows(projectId)).resource).toBeGreaterThan(5);

  // A process that is stopped in the middle: the next one goes on.
  const stopped = new AbortController();
  stopped.abort();
  await removeProjects(CTX, stopped.signal, at);
  expect(await waits(world)).toBe(true);
  const link = toLink((await waitingMail(owner.email))[0]!.params.url);
  for (let looks = 3; (await waits(world)) && looks < 20; looks += 3) {
    let left = looks;
    const killed = {
      get aborted() {
        left -= 1;
        return left < 0;
      },
    } as AbortSignal;
    await removeProjects(CTX, killed, at);
    if (await waits(world)) expect((await importFile(root, file)).status).toBe(409);
  }
  await removeProjects(CTX, undefined, at);
  expect(await waits(world)).toBe(false);
  expect(Object.keys(await countRows(projectId)).filter((table) => !LOG.includes(table))).toEqual([]);
  expect(await countRows(other.projectId)).toEqual(before);
  for (const table of ['user_login', 'credential', 'user_project', 'one_time_link']) {
    const id = own.user.reference.slice('User/'.length);
    const rows = await db().execute(sql`select 1 from ${sql.identifier(table)} where user_id = ${id}`);
    expect([table, rows.length]).toEqual([table, 0]);
  }
  expect(await db().execute(sql`select 1 from user_login where scope = ${projectId}`)).toHaveLength(0);

  expect((await callApi(client.basic, 'GET', '/fhir/R4/Patient')).status).toBe(401);
  expectOutcome(await callAuth('POST', '/auth/reopen', { body: link }), 404);
  expectOutcome(await callApi(root, 'GET', `/admin/projects/${projectId}/export`), 404);
  const above = await callApi(root, 'GET', `/admin/super/audit?action=project.delete&target=Project/${projectId}`);
  expect(above.body.rows).toHaveLength(1);
  const log = await callApi(root, 'GET', `/admin/super/audit?project=${projectId}&_count=3`);
  expect(log.body.rows[0]).toMatchObject({ action: 'project.delete' });

  // What was exported before is brought back here as anywhere.
  const back = await importFile(root, file);
  expect(back.status, back.text).toBe(201);
});

test('whoever opens it again keeps it, and a super-admin holds it', async () => {
  const root = await createSuperAdmin();
  const [opened, held, plain] = [await createWorld(), await createWorld(), await createWorld()];
  for (const world of [opened, held]) expect((await close(world)).status).toBe(200);
  expect((await close(plain, {})).body.removeAt).toBeUndefined();
  const [mail] = await waitingMail(opened.owner.email);
  expect((await callAuth('POST', '/auth/reopen', { body: toLink(mail!.params.url) })).status).toBe(200);
  expect((await close(held, {}, root)).body).toEqual({ closed: true });
  await removeProjects(CTX, undefined, Date.now() + 90 * DAY_MS);
  for (const world of [opened, held, plain]) {
    expect(await waits(world)).toBe(false);
    expect((await countRows(world.projectId)).resource).toBeGreaterThan(0);
  }
  expect((await close(held, { remove: true }, root)).body.removeAt).toEqual(expect.any(String));
  expect(await waits(held)).toBe(true);
});

test('only its owner and super-admins ask for it, and it says yes or no', async () => {
  const world = await createWorld();
  const client = await makeClient(world.projectId, {}, { admin: true });
  expectOutcome(await close(world, { remove: true }, client.basic), 403);
  expectOutcome(await close(world, { remove: 'yes' }), 400, 'remove');
  expect(await waits(world)).toBe(false);
});
