import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportProject } from '#lib/domain/transfer/export-project.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { makeClient, type TestClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read lines by path
type Line = { kind: string; [name: string]: any };

let world: World;
let client: TestClient;
let patientId: string;
const SECRETS = ['google-client-secret-value', 'recaptcha-secret-value', 'lab-key-value'];

const take = (bearer?: string) => world.call('GET', '/export', { bearer });
const toLines = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const of = (lines: Line[], kind: string) => lines.filter((line) => line.kind === kind);

beforeAll(async () => {
  world = await createWorld();
  client = await makeClient(world.projectId, { name: 'Lab feed' });
  const fhir = (method: string, path: string, body?: unknown) =>
    callApi(world.owner.bearer, method, `/fhir/R4/${path}`, { body });
  const made = await fhir('POST', 'Patient', { resourceType: 'Patient', name: [{ family: 'Ünïcode "x" \n 漢字' }] });
  patientId = made.body.id;
  await fhir('PUT', `Patient/${patientId}`, { ...made.body, active: true });
  await fhir('DELETE', `Patient/${patientId}`);
  await fhir('POST', 'Observation', {
    resourceType: 'Observation',
    status: 'final',
    code: { text: 'Dose' },
    valueQuantity: { value: 1.5 },
  });
  await callApi(world.owner.bearer, 'POST', '/fhir/R4/Binary', {
    body: new Uint8Array(1_000_000).fill(7),
    headers: { 'content-type': 'application/octet-stream' },
  });
  await world.call('PUT', '/secrets/LAB_KEY', { body: { valueString: SECRETS[2] } });
  const site = { name: 'Portal', domain: ['portal.example.com'], googleClientId: 'id' };
  const keys = { googleClientSecret: SECRETS[0], recaptchaSecretKey: SECRETS[1] };
  const change = [{ op: 'add', path: '/site', value: [{ ...site, ...keys }] }];
  const changed = await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Project/${world.projectId}`, {
    body: change,
    headers: { 'content-type': 'application/json-patch+json' },
  });
  expect(changed.status, changed.text).toBe(200);
  await world.invite({ email: 'known@example.com', scope: 'server' });
  await world.invite({ scope: 'project' });
});

describe('GET /admin/projects/[projectId]/export', () => {
  test('is every version of every resource, as it was stored, with who did it', async () => {
    const answer = await take();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toContain(`project-${world.projectId}.ndjson`);
    const lines = toLines(answer.text);
    expect(lines[0]).toMatchObject({
      kind: 'manifest',
      format: 'gatehouse-project',
      version: 1,
      project: { id: world.projectId, name: 'Test project' },
      versions: { Patient: 3, Observation: 1, Binary: 1 },
    });
    const versions = of(lines, 'version');
    const patient = versions.filter(({ id }) => id === patientId);
    expect(patient.map(({ version, op }) => [version, op])).toEqual([
      [1, 'create'],
      [2, 'update'],
      [3, 'delete'],
    ]);
    expect(patient[0]).toMatchObject({ content: { name: [{ family: 'Ünïcode "x" \n 漢字' }] } });
    expect(patient[0]!.author).toMatch(/^Practitioner\//);
    expect(patient[2]).toMatchObject({ content: null });
    const stored = await db().execute<{ n: number }>(
      sql`select count(*)::int as n from resource_history where project_id = ${world.projectId}`,
    );
    expect(versions).toHaveLength(stored[0]!.n);
    expect(new Set(versions.map(({ type }) => type))).toEqual(
      new Set([
        'Project',
        'ProjectMembership',
        'AccessPolicy',
        'ClientApplication',
        'Practitioner',
        'User',
        'Patient',
        'Observation',
        'Binary',
      ]),
    );
  });

  test('ends with what it holds, so that a file that was cut or altered shows', async () => {
    const { text } = await take();
    const lines = toLines(text);
    const end = lines.at(-1)!;
    expect(end.kind).toBe('end');
    expect(end.lines).toBe(lines.length - 1);
    expect(end.counts.version).toBe(of(lines, 'version').length);
    const before = text.slice(0, text.lastIndexOf('{"kind":"end"'));
    expect(end.sha256).toBe(createHash('sha256').update(before).digest('hex'));
  });

  test('has members, people by address and name, bots’ secrets by name, bytes in pieces', async () => {
    const lines = toLines((await take()).text);
    const memberships = of(lines, 'version').filter(
      ({ type, version }) => type === 'ProjectMembership' && version === 1,
    );
    expect(
      of(lines, 'membership')
        .map(({ id }) => id)
        .sort(),
    ).toEqual(memberships.map(({ id }) => id).sort());
    const people = of(lines, 'person');
    expect(people.find(({ email }) => email === world.owner.email)).toEqual({
      kind: 'person',
      id: world.owner.userId,
      email: world.owner.email,
      firstName: 'Olga',
      lastName: 'Owner',
    });
    // Whose account is the project's own is a resource of it.
    expect(people.some(({ id }) => of(lines, 'version').some((line) => line.type === 'User' && line.id === id))).toBe(
      false,
    );
    expect(of(lines, 'secret-name')).toEqual([{ kind: 'secret-name', name: 'LAB_KEY' }]);
    const pieces = of(lines, 'binary');
    expect(pieces.map(({ piece }) => piece)).toEqual([0, 1]);
    const bytes = Buffer.concat(pieces.map(({ data }) => Buffer.from(data, 'base64')));
    expect(bytes.equals(Buffer.alloc(1_000_000, 7))).toBe(true);
  });

  test('has no secret, hash or token', async () => {
    const { text } = await take();
    for (const secret of [...SECRETS, client.secret]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/secretHash|secret_hash|\$argon|scrypt|refreshSealed/);
    expect(text).toContain('portal.example.com');
  });

  test('stands in the log; the example of docs/projects.md runs', async () => {
    const [, path] = /GET \/admin\/projects\/\{id\}(\S+)/.exec(readFileSync('docs/projects.md', 'utf8'))!;
    expect((await world.call('GET', path!)).status).toBe(200);
    const { rows } = (await world.call('GET', '/audit?action=project.export&_count=1')).body;
    expect(rows[0]).toMatchObject({ actor: { display: 'Olga Owner' } });
    await world.call('HEAD', '/export');
    expect((await world.call('GET', '/audit?action=project.export')).body.rows.length).toBeGreaterThan(1);
  });
});

describe('for administrators who have all of the project', () => {
  test('not for members, limited administrators, other projects, or who has shown nothing lately', async () => {
    const project = await makeFhirProject();
    const path = `/admin/projects/${project.projectId}/export`;
    const limited = await project.member([{ resourceType: 'Patient' }], { admin: true });
    const member = await project.member();
    expectOutcome(await callApi(limited.authorization, 'GET', path), 403);
    expectOutcome(await callApi(member.authorization, 'GET', path), 403);
    expectOutcome(await callApi(world.owner.bearer, 'GET', path), 403);
    expect((await callApi(undefined, 'GET', path)).status).toBe(401);
    expect((await callApi(project.admin.authorization, 'GET', path)).status).toBe(200);
    expect((await callApi(await createSuperAdmin(), 'GET', path)).status).toBe(200);
    const late = await createWorld();
    const then = new Date(Date.now() - 86_400_000);
    await db().update(login).set({ authTime: then }).where(eq(login.projectId, late.projectId));
    const refused = await late.call('GET', '/export');
    expectOutcome(refused, 403);
    expect(refused.text).toContain('Show again who you are');
  });

  test('ten times an hour, also of thirty at once', async () => {
    const project = await makeFhirProject();
    const path = `/admin/projects/${project.projectId}/export`;
    const all = await Promise.all(Array.from({ length: 30 }, () => callApi(project.admin.authorization, 'GET', path)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(20);
  });
});

test('20,000 versions and a few of megabytes go through in pieces; it breaks off when the session ends', async () => {
  const { projectId, owner } = await createWorld();
  await db().execute(sql`
    insert into resource_history (project_id, type_id, id, version, op, last_updated, author, meta, content)
    select ${projectId}, (select type_id from resource where project_id = ${projectId} limit 1), 'x' || n, 1, 'create', now() - interval '1 minute', null, null,
      case when n % 5000 = 0 then (select jsonb_build_object('a', string_agg(md5(i::text || n), '')) from generate_series(1, 60000) i)::text else '{"n":1}' end
    from generate_series(1, 20000) n`);
  const [row] = await db().select().from(login).where(eq(login.projectId, projectId));
  const actor = { admin: true, projectId, loginId: row!.id, user: 'User/x', askedBefore: true, policy: WHOLE };
  const ctx = { requestId: 'r', remoteAddress: '', userAgent: '', actor: actor as never };
  let [lines, largest] = [0, 0];
  for await (const piece of await exportProject(ctx, projectId)) {
    lines += piece.split('\n').length - 1;
    largest = Math.max(largest, piece.length);
  }
  expect(lines).toBeGreaterThan(20_000);
  expect(largest).toBeLessThan(8 * 1024 * 1024);

  const pieces = await exportProject(ctx, projectId);
  await pieces.next();
  await callApi(owner.bearer, 'POST', '/oauth2/logout');
  await expect(
    (async () => {
      for await (const _ of pieces);
    })(),
  ).rejects.toThrow('The session has ended');
});

const WHOLE = {
  rules: [
    {
      resourceType: '*',
      interactions: new Set(['create', 'read', 'vread', 'update', 'delete', 'history', 'search']),
      expr: { op: 'all' },
    },
  ],
};
