import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { reindexPage } from '#lib/domain/store/reindex-page.ts';
import { importProject } from '#lib/domain/transfer/import-project.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { makeClient, makePerson, PASSWORD } from '#lib/testing/people.ts';
import { countRows, forget, importFile, type Line, toFile, toLines } from '#lib/testing/project-files.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

let superAdmin: string;

beforeAll(async () => {
  superAdmin = await createSuperAdmin();
});

const fhir = (of: World, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  callApi(of.owner.bearer, method, `/fhir/R4/${path}`, { body, headers });
const asSuper = (method: string, path: string, body?: unknown) => callApi(superAdmin, method, path, { body });

async function take(projectId: string): Promise<string> {
  const answer = await asSuper('GET', `/admin/projects/${projectId}/export`);
  expect(answer.status, answer.text).toBe(200);
  return answer.text;
}

/** Of a bot that is many files. */
const BESIDE = [{ filename: 'lib/word.ts', content: 'export const word = "hello";' }];

/** A project with something of everything. */
async function fill(world: World) {
  const patient = { resourceType: 'Patient', name: [{ family: 'Ünïcode "x" \n 漢字' }], birthDate: '1970-01-02' };
  const { body: made } = await fhir(world, 'POST', 'Patient', patient);
  await fhir(world, 'PUT', `Patient/${made.id}`, { ...made, active: true });
  const gone = (await fhir(world, 'POST', 'Patient', patient)).body;
  await fhir(world, 'DELETE', `Patient/${gone.id}`);
  await fhir(
    world,
    'POST',
    'Observation',
    `{"resourceType":"Observation","meta":{"accounts":[{"reference":"Organization/north"}]},"status":"final","code":{"text":"Dose"},"subject":{"reference":"Patient/${made.id}"},
      "effectiveDateTime":"2024-05-06","valueQuantity":{"value":1.50}}`,
  );
  const bytes = new Uint8Array(1_000_000).fill(7);
  const type = { 'content-type': 'application/octet-stream' };
  const { body: binary } = await fhir(world, 'POST', 'Binary', bytes, type);
  await fhir(world, 'PUT', `Binary/${binary.id}`, new Uint8Array(500_000).fill(8), type);
  await fhir(world, 'PUT', `Binary/${binary.id}`, new Uint8Array(5).fill(9), type);
  await world.call('PUT', '/secrets/LAB_KEY', { body: { valueString: 'lab-key-value' } });
  const bot = (await world.call('POST', '/bot', { body: { name: 'Greeter' } })).body;
  const code = 'import { word } from "./lib/word.ts"; export async function handler() { return word; }';
  const deployed = await fhir(world, 'POST', `Bot/${bot.id}/$deploy`, { code, files: BESIDE });
  expect(deployed.status, deployed.text).toBe(200);
  const sample = {
    ...{ name: 'A greeting \u00e9', input: { contentType: 'text/plain', body: 'MSH|x\r' } },
    ...{ expects: { output: [{ path: '', value: 'hello' }] }, stubs: { mail: true } },
  };
  expect((await world.call('POST', `/bots/${bot.id}/samples`, { body: sample })).status).toBe(201);
  await world.call('PUT', `/bots/${bot.id}/secrets/OWN_KEY`, { body: { valueString: 'bot-own-value' } });
  const files = [{ filename: 'lib/two.ts', content: 'export const two = 2;' }];
  const draft = { code: '// begun', filename: 'index.ts', files };
  expect((await world.call('PUT', `/bots/${bot.id}/source`, { body: draft })).status).toBe(200);
  const own = await world.invite({ scope: 'project', email: 'own@example.com', firstName: 'Owen' });
  const server = await world.invite({ scope: 'server', admin: true });
  return { patient: made, gone, binary, bot, own, server };
}

describe('POST /admin/super/importproject', () => {
  test('what was exported stands on another server as it was: versions, search, bytes, bots, members', async () => {
    const world = await createWorld();
    const { projectId } = world;
    const { patient, gone, binary, bot, own, server } = await fill(world);
    const client = await makeClient(projectId, { name: 'Lab feed' });
    const keyed = await makeClient(projectId, { name: 'Signs', jwksUri: 'https://keys.example.com/jwks' });
    const channel = { type: 'rest-hook', endpoint: 'https://example.com/told' };
    const told = { resourceType: 'Subscription', status: 'requested', reason: 'x', criteria: 'Patient', channel };
    const subscription = await fhir(world, 'POST', 'Subscription', told);
    await fhir(world, 'PUT', `Bot/${bot.id}`, { ...bot, cronString: '0 3 * * *' });
    const before = await take(projectId);
    await forget(projectId);
    expect(await countRows(projectId)).toEqual({});

    const answer = await importFile(superAdmin, before);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({
      project: { reference: `Project/${projectId}`, display: 'Test project' },
      lines: before.trimEnd().split('\n').length - 1,
      people: 3,
      clientsOff: [keyed.id],
      subscriptionsOff: 1,
      timedBots: 1,
      secrets: ['LAB_KEY'],
      botSecrets: [{ bot: `Bot/${bot.id}`, name: 'OWN_KEY' }],
      mailed: 2,
    });
    // The same again, but for what cannot be as it was: the owner, whom nobody here has named, and the client that needs no secret of ours.
    const [old, now] = [toLines(before), toLines(await take(projectId))];
    const versions = (lines: Line[]) => lines.filter(({ kind }) => kind === 'version');
    const key = ({ type, id, version }: Line) => `${type}/${id}/${version}`;
    const known = new Map(versions(now).map((line) => [key(line), line]));
    for (const line of versions(old)) expect(known.get(key(line))).toEqual(line);
    const added = versions(now).filter((line) => !versions(old).some((other) => key(other) === key(line)));
    expect(added.map(({ type }) => type).sort()).toEqual([
      'ClientApplication',
      'Project',
      'Subscription',
      'User',
      'User',
    ]);
    expect(before).not.toContain('bot-own-value');
    expect(old.filter(({ kind }) => kind === 'bot-sample')).toMatchObject([{ botId: bot.id, stubs: { mail: true } }]);
    expect(old.filter(({ kind }) => kind === 'bot-draft')).toMatchObject([{ files: [{ filename: 'lib/two.ts' }] }]);
    for (const kind of ['bot-version', 'bot-deployment', 'bot-draft', 'bot-sample', 'binary'])
      expect(now.filter((line) => line.kind === kind)).toEqual(old.filter((line) => line.kind === kind));
    const users = (lines: Line[]) =>
      lines
        .filter(({ kind }) => kind === 'membership')
        .map(({ id, user, further }) => [id, user, further])
        .sort();
    expect(users(now)).toEqual(users(old));

    // A super-admin looks at it as its administrators would.
    const admin = await makeClient(projectId, {}, { admin: true });
    const ask = (path: string) => callApi(admin.basic, 'GET', `/fhir/R4/${path}`);
    const read = await ask(`Patient/${patient.id}`);
    expect(read.body).toMatchObject({ active: true, meta: { versionId: '2' } });
    expect((await ask(`Subscription/${subscription.body.id}`)).body).toMatchObject({ status: 'off', channel });
    expect((await ask(`Patient/${gone.id}`)).status).toBe(410);
    expect((await ask('Patient?name=ünïcode')).body.entry).toHaveLength(1);
    expect((await ask('Observation?date=2024-05&_sort=-date')).body.entry).toHaveLength(1);
    expect((await ask('Observation?_compartment=Organization/north')).body.entry).toHaveLength(1);
    expect((await ask(`Observation?subject=Patient/${patient.id}`)).text).toContain('1.50');
    expect((await ask(`Patient/${patient.id}/_history`)).body.entry).toHaveLength(2);
    for (const [version, length, value] of [
      [1, 1_000_000, 7],
      [2, 500_000, 8],
      [3, 5, 9],
    ] as const) {
      const { status, bytes } = await ask(`Binary/${binary.id}/_history/${version}`);
      expect([status, bytes.equals(Buffer.alloc(length, value))]).toEqual([200, true]);
    }
    expect((await ask(`Binary/${binary.id}`)).bytes).toHaveLength(5);
    expect((await callApi(admin.basic, 'POST', `/fhir/R4/Bot/${bot.id}/$execute`, { body: {} })).text).toBe('hello');
    const version = `/admin/projects/${projectId}/bots/${bot.id}/versions/1`;
    expect((await callApi(admin.basic, 'GET', version)).body.files).toEqual(BESIDE);
    const again = await callApi(admin.basic, 'POST', `/fhir/R4/Bot/${bot.id}/$deploy`, { body: {} });
    expect(again.status, again.text).toBe(200);

    // What is found by is what this server would have written.
    for (const type of ['Patient', 'Observation', 'ProjectMembership', 'User', 'Bot', 'Project', 'AccessPolicy'])
      expect(await reindexPage(projectId, type, '', 100)).toMatchObject({ changed: 0, refused: 0 });

    // Programs need a new secret, and have their ids.
    expect((await callApi(client.basic, 'GET', '/fhir/R4/Patient')).status).toBe(401);
    const path = `/fhir/R4/ClientApplication/${client.id}/$rotate-secret`;
    const rotated = await callApi(admin.basic, 'POST', path, { body: { resourceType: 'Parameters' } });
    expect(rotated.status, rotated.text).toBe(200);

    // People are invited, and nobody is in.
    const list = await asSuper('GET', `/admin/projects/${projectId}/invites`);
    const emailOf = new Map<string, string>(list.body.rows.map((row: Line) => [row.membershipId, row.email]));
    const standing = list.body.rows.map(({ membershipId, status }: Line) => [membershipId, status]);
    expect(standing).toContainEqual([own.id, 'pending']);
    expect(standing).toContainEqual([server.id, 'pending']);
    const [mail] = await waitingMail(String(emailOf.get(server.id)));
    const link = toLink(mail?.params.url);
    const set = await callAuth('POST', '/auth/setpassword', { body: { ...link, password: PASSWORD } });
    expect(set.status, set.text).toBe(200);
    const email = emailOf.get(server.id);
    const login = {
      email,
      password: PASSWORD,
      projectId,
      scope: 'openid',
      codeChallengeMethod: 'plain',
      codeChallenge: 'x'.repeat(50),
    };
    const entered = await callAuth('POST', '/auth/login', { body: login });
    expect(entered.body).toMatchObject({ code: expect.any(String) });
    const log = (await asSuper('GET', `/admin/projects/${projectId}/audit?action=project.import`)).body.rows;
    expect(log[0]).toMatchObject({ after: { sha256: JSON.parse(before.trimEnd().split('\n').at(-1)!).sha256 } });
  });

  test('nobody is let in who has an account here: theirs is another account, with an invitation of its own', async () => {
    const world = await createWorld();
    const known = await makePerson();
    await db().execute(
      sql`update resource set content = content || '{"emailVerified": true}' where id = ${known.userId} and version = 1`,
    );
    const member = await world.invite({ email: known.email, scope: 'server', admin: true });
    const file = await take(world.projectId);
    // Their accounts stay, and the project was never here.
    for (const table of [
      'membership_key',
      'resource',
      'resource_history',
      'user_project',
      'client_secret',
      'member_count',
    ])
      await db().execute(sql`delete from ${sql.identifier(table)} where project_id = ${world.projectId}`);
    const answer = await importFile(superAdmin, file);
    expect(answer.status, answer.text).toBe(201);
    const [key] = await db().execute<{ user_ref: string }>(
      sql`select user_ref from membership_key where membership_id = ${member.id}`,
    );
    expect(key!.user_ref).not.toBe(`User/${known.userId}`);
    const [version] = toLines(await take(world.projectId)).filter(
      ({ id, version }) => id === member.id && version === 2,
    );
    expect(version).toMatchObject({ op: 'update', content: { user: { reference: key!.user_ref } } });
    const login = await callAuth('POST', '/auth/login', {
      body: { email: known.email, password: PASSWORD, projectId: world.projectId },
    });
    expect(login.status).toBe(400);
  });

  test('a project that is here is refused, and of two at once one is taken', async () => {
    const world = await createWorld();
    const file = await take(world.projectId);
    const refused = await importFile(superAdmin, file);
    expectOutcome(refused, 409, 'project.id');
    expect(refused.text).toContain('Line 1: This project is on this server already');
    await forget(world.projectId);
    const all = await Promise.all(Array.from({ length: 5 }, () => importFile(superAdmin, file)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  test('not for administrators of a project, nobody, or as another type', async () => {
    const world = await createWorld();
    expectOutcome(await importFile(world.owner.bearer, ''), 403);
    expect((await importFile(undefined, '')).status).toBe(401);
    expectOutcome(await callApi(superAdmin, 'POST', '/admin/super/importproject', { body: {} }), 415);
    expectOutcome(await importFile(superAdmin, ''), 400);
  });
});

describe('a file that is not as it was exported', () => {
  let lines: Line[];
  let projectId: string;
  let world: World;

  beforeAll(async () => {
    world = await createWorld();
    ({ projectId } = world);
    await fhir(world, 'POST', 'Patient', { resourceType: 'Patient' });
    await world.invite({ scope: 'project' });
    lines = toLines(await take(projectId));
    await forget(projectId);
  });

  const find = (of: Partial<Line>) =>
    lines.findIndex((line) => Object.entries(of).every(([name, value]) => line[name] === value));
  const changed = (of: Partial<Line>, change: (line: Line) => Line | string) => {
    const at = find(of);
    return toFile(lines.with(at, change(structuredClone(lines[at]!)) as Line));
  };
  async function refused(file: string | Uint8Array, text: string | RegExp, status = 400) {
    const answer = await importFile(superAdmin, file);
    expectOutcome(answer, status);
    expect(answer.body.issue[0].details.text).toMatch(text);
    expect(await countRows(projectId)).toEqual({});
  }

  test('cut, altered, or with a wrong hash', async () => {
    const file = toFile(lines);
    await refused(file.slice(0, -1), /^The file was cut/);
    await refused(`${file.trimEnd().split('\n').slice(0, -1).join('\n')}\n`, /^The file was cut/);
    await refused(file.replace('"type":"Patient"', '"type":"Patiemt"'), /^Line \d+: Patiemt/);
    await refused(file.replace('Test project', 'Test prolect'), 'The file was altered: its bytes');
    const end = JSON.parse(file.trimEnd().split('\n').at(-1)!);
    const begin = file.slice(0, file.lastIndexOf('{"kind":"end"'));
    await refused(`${begin}${JSON.stringify({ ...end, lines: 2 })}\n`, 'The file was altered');
    await refused(`${file}${JSON.stringify(end)}\n`, 'stands after the end');
  });

  test('no JSON, no UTF-8, a line of a gigabyte, and fields that no line has', async () => {
    await refused(toFile([...lines.slice(0, 1), '{"kind"', ...lines.slice(1)]), /^Line 2: Content could not be parsed/);
    await refused(toFile([{ kind: 'else' }]), /^Line 1: /);
    await refused(toFile([lines[1]!]), 'Line 1: This is not the file of a project');
    await refused(
      changed({ kind: 'membership' }, (line) => ({ ...line, more: 1 })),
      /^Line \d+: Unknown field more/,
    );
    await refused(Buffer.concat([Buffer.from(toFile(lines).slice(0, 200)), Buffer.from([0xff, 0x0a])]), 'is not UTF-8');
    const piece = new Uint8Array(1024 * 1024).fill(0x61);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        if (sent > 1024) controller.close();
        else controller.enqueue(piece);
      },
    });
    const actor = { superAdmin: true, admin: true, askedBefore: true } as never;
    const ctx = { requestId: 'r', remoteAddress: '', userAgent: '', actor };
    await expect(importProject(ctx, endless)).rejects.toThrow(/^Line 1 is longer than \d+ MiB$/);
    expect(sent).toBeLessThan(200);
  });

  test('of the server’s own projects, of platform types, or of another project', async () => {
    const manifest = (project: object) => toFile([{ ...lines[0]!, project }, ...lines.slice(1)]);
    for (const id of ['00000000-0000-0000-0000-000000000000', '00000000-0000-4000-8000-000000000001'])
      await refused(manifest({ id, name: '' }), 'Line 1: No project has this id');
    await refused(manifest({ id: newId(), name: '' }), /another project/);
    const patient = { kind: 'version', type: 'Patient' };
    for (const type of ['DomainConfiguration', 'Login', 'JsonWebKey', 'UserSecurityRequest', 'AsyncJob', 'Nothing'])
      await refused(
        changed(patient, (line) => ({ ...line, type })),
        `${type} is of no project`,
      );
    const content = (of: Partial<Line>, more: object) =>
      changed(of, (line) => ({ ...line, content: { ...line.content, ...more } }));
    await refused(content({ type: 'Project' }, { superAdmin: true }), 'administrators is not imported');
    const other = { project: { reference: `Project/${newId()}` } };
    await refused(content({ type: 'ProjectMembership' }, other), 'It is of another project');
    await refused(content({ type: 'User' }, other), 'It is of another project');
    await refused(content({ type: 'ClientApplication' }, { secret: 'x' }), 'Secrets are not imported');
  });

  test('with what only the platform says, out of order, twice, or of a time to come', async () => {
    const patient = { kind: 'version', type: 'Patient' };
    for (const meta of [
      { project: projectId },
      { author: { reference: 'User/1' } },
      { versionId: '7' },
      { account: { reference: 'Organization/1' } },
    ])
      await refused(
        changed(patient, (line) => ({ ...line, meta })),
        'is not told in meta',
      );
    const accounts = (of: Partial<Line>, reference: string) =>
      changed(of, (line) => ({ ...line, meta: { accounts: [{ reference }] } }));
    await refused(accounts({ kind: 'version', type: 'ProjectMembership' }, 'Organization/1'), 'is not told in meta');
    await refused(accounts(patient, 'nowhere'), 'An account is a reference');
    for (const content of [{ id: 'x' }, { resourceType: 'User' }, { meta: {} }])
      await refused(
        changed(patient, (line) => ({ ...line, content })),
        'does not stand in the content',
      );
    await refused(
      changed(patient, (line) => ({ ...line, author: 'me' })),
      'must name who wrote it',
    );
    await refused(
      changed(patient, (line) => ({ ...line, content: { nosuch: 1 } })),
      /^Line \d+: /,
    );
    await refused(
      changed(patient, (line) => ({ ...line, lastUpdated: '2999-01-01T00:00:00.000Z' })),
      'has not come',
    );
    const at = find(patient);
    await refused(toFile(lines.toSpliced(at, 0, lines[at]!)), 'It stands twice');
    const person = find({ kind: 'person' });
    await refused(toFile(lines.toSpliced(person, 0, lines[person]!)), 'twice', 409);
    const key = find({ kind: 'membership' });
    await refused(toFile(lines.toSpliced(key, 0, lines[key]!)), /already|twice/, 409);
    await refused(toFile(lines.toSpliced(key, 1)), 'has no line that says whose it is');
    await refused(toFile(lines.toSpliced(person, 1)), 'of whom the file has nothing');
    await refused(
      changed(patient, (line) =>
        JSON.stringify(line).replace('"content":{', '"content":{"name":[{"text":"\\u0000"}],'),
      ),
      'cannot be stored',
    );
  });

  test('that names ids which other projects of this server have', async () => {
    const other = await createWorld();
    const client = await makeClient(other.projectId);
    const own = lines[find({ kind: 'version', type: 'ClientApplication' })]!.id;
    const swap = (from: string, to: string) => {
      const swapped: Line[] = JSON.parse(JSON.stringify(lines).replaceAll(from, to));
      const inOrder = (one: Line, other: Line) =>
        one.kind === 'version' && one.type === other.type ? (one.id < other.id ? -1 : 1) : 0;
      return toFile(swapped.sort(inOrder));
    };
    await refused(swap(own, client.id), 'Another project of this server has', 409);
    const { id } = lines[find({ kind: 'membership' })]!;
    await refused(swap(id, other.owner.membershipId), 'Another project of this server has', 409);
    const user = lines[find({ kind: 'version', type: 'User' })]!.id;
    const victim = await makePerson();
    await refused(swap(user, victim.userId), 'This server has an account with the id', 409);
  });

  test('of which the sender goes away in the middle leaves nothing', async () => {
    const actor = { superAdmin: true, admin: true, askedBefore: true, profile: 'ClientApplication/x' } as never;
    const ctx = { requestId: 'r', remoteAddress: '', userAgent: '', actor };
    const file = Buffer.from(toFile(lines));
    async function* broken() {
      yield file.subarray(0, file.length - 300);
      throw new Error('gone');
    }
    await expect(importProject(ctx, broken())).rejects.toThrow('gone');
    expect(await countRows(projectId)).toEqual({});
  });

  test('is taken when it is whole', async () => {
    const answer = await importFile(superAdmin, toFile(lines));
    expect(answer.status, answer.text).toBe(201);
  });
});

test('10,000 memberships of people with and without an address are one import', async () => {
  const { projectId } = await createWorld();
  const lines = toLines(await take(projectId));
  await forget(projectId);
  const at = lines[0]!.asOf;
  const id = (n: number, of: string) =>
    `0000000${of}-0000-7000-8000-${projectId.slice(-6)}${String(n).padStart(6, '0')}`;
  const numbers = Array.from({ length: 10_000 }, (_, n) => n);
  const of = (type: string, n: number, kind: string, content: object): Line => {
    const known = { kind: 'version', type, id: id(n, kind), version: 1, op: 'create', lastUpdated: at };
    return { ...known, author: null, meta: null, content };
  };
  const project = { reference: `Project/${projectId}` };
  const user = (n: number) => {
    const email = n % 2 ? { email: `m${n}-${projectId}@example.com` } : {};
    return of('User', n, 'b', { firstName: 'Ann', lastName: 'Many', ...email, project });
  };
  const member = (n: number) => {
    const who = { user: { reference: `User/${id(n, 'b')}` }, profile: { reference: `Practitioner/${id(n, 'c')}` } };
    return of('ProjectMembership', n, 'a', { project, ...who });
  };
  const key = (n: number): Line => {
    const standing = { further: false, awaitsProof: false, inviteStatus: 'none', invitedAt: null };
    return { kind: 'membership', id: id(n, 'a'), user: `User/${id(n, 'b')}`, ...standing };
  };
  const isOf = (type: string) => (line: Line) => line.type === type;
  const rest = lines.filter((line) => !['ProjectMembership', 'User'].includes(line.type) && line.kind !== 'person');
  const people = lines.filter(({ kind }) => kind === 'person');
  const file = toFile([
    rest[0]!,
    ...people,
    ...rest.filter(({ kind }) => kind === 'membership'),
    ...numbers.map(key),
    ...rest.filter(({ kind }) => kind === 'version'),
    ...numbers.map(member),
    ...lines.filter(isOf('ProjectMembership')),
    ...numbers.map(user),
  ]);
  const answer = await importFile(superAdmin, file);
  expect(answer.status, answer.text.slice(0, 500)).toBe(201);
  expect(answer.body.people).toBe(10_001);
}, 120_000);
