import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { loadSecrets } from '#lib/domain/projects/project-secrets.ts';
import { auditEvent, projectSecret } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn } from '#lib/testing/world.ts';

describe.each(['secrets', 'settings', 'sites', 'client', 'bot'])('POST %s', (what) => {
  test('401, 403 for a member and for another project, 415', async () => {
    const [world, other] = [await createWorld(), await createWorld()];
    const member = await world.invite();
    const bearer = await signIn(world.projectId, member.id, member.user.reference);
    expectOutcome(await world.call('POST', `/${what}`, { body: [], bearer: null }), 401);
    expectOutcome(await world.call('POST', `/${what}`, { body: '{', bearer }), 403);
    const path = `/admin/projects/${other.projectId}/${what}`;
    expectOutcome(await callApi(world.owner.bearer, 'POST', path, { body: [] }), 403);
    const headers = { 'content-type': 'text/plain' };
    expectOutcome(await world.call('POST', `/${what}`, { body: 'x', headers }), 415);
  });
});

describe('secrets', () => {
  const list = [
    { name: 'API_KEY', valueString: 's3cret-value' },
    { name: 'LIMIT', valueInteger: 5 },
  ];

  test('are stored sealed, read masked, and never stand in the resource', async () => {
    const world = await createWorld();
    const made = await world.call('POST', '/secrets', { body: list });
    expect(made.body).toMatchObject({
      resourceType: 'Project',
      secret: [{ name: 'API_KEY', valueString: '********' }, {}],
    });
    const read = await world.call('GET', '');
    expect(read.body.project.secret).toEqual(['API_KEY', 'LIMIT'].map((name) => ({ name, valueString: '********' })));
    const resource = await callApi(world.owner.bearer, 'GET', `/fhir/R4/Project/${world.projectId}`);
    const rows = await db().select().from(projectSecret).where(eq(projectSecret.projectId, world.projectId));
    const audit = await db().select().from(auditEvent).where(eq(auditEvent.projectId, world.projectId));
    for (const seen of [made, read, resource, rows, audit]) expect(JSON.stringify(seen)).not.toContain('s3cret-value');
    expect(await loadSecrets(world.projectId)).toEqual(list);
  });

  test('reveal shows them to an administrator, and is audited', async () => {
    const world = await createWorld();
    await world.call('POST', '/secrets', { body: list });
    expect((await world.call('GET', '?reveal=true')).body.project.secret).toEqual(list);
    const audit = await db().select().from(auditEvent).where(eq(auditEvent.projectId, world.projectId));
    expect(audit.filter(({ action }) => action === 'project.secret.reveal')).toHaveLength(1);
  });

  test('a full list replaces; the mask keeps a value, and keeps nothing where there is none', async () => {
    const world = await createWorld();
    await world.call('POST', '/secrets', { body: list });
    const kept = [
      { name: 'API_KEY', valueString: '********' },
      { name: 'NEW', valueBoolean: true },
    ];
    expect((await world.call('POST', '/secrets', { body: kept })).status).toBe(200);
    expect(await loadSecrets(world.projectId)).toEqual([list[0], kept[1]]);
    const unknown = [{ name: 'NOSUCH', valueString: '********' }];
    expectOutcome(await world.call('POST', '/secrets', { body: unknown }), 400, '[0].valueString');
  });

  test('one by one: PUT and DELETE', async () => {
    const world = await createWorld();
    expect((await world.call('PUT', '/secrets/TOKEN', { body: { valueString: 'x' } })).status).toBe(200);
    expect(await loadSecrets(world.projectId)).toEqual([{ name: 'TOKEN', valueString: 'x' }]);
    expectOutcome(await world.call('PUT', '/secrets/TOKEN', { body: {} }), 400);
    expectOutcome(
      await world.call('PUT', `/secrets/${encodeURIComponent('a b')}`, { body: { valueString: 'x' } }),
      400,
      'name',
    );
    expect((await world.call('DELETE', '/secrets/TOKEN')).status).toBe(200);
    expectOutcome(await world.call('DELETE', '/secrets/TOKEN'), 404);
  });

  test('are two hundred at most, also one by one; those that are there may change', async () => {
    const world = await createWorld();
    const put = (name: string, valueString: string) => world.call('PUT', `/secrets/${name}`, { body: { valueString } });
    const many = Array.from({ length: 200 }, (_, at) => ({ name: `S${at}`, valueString: 'x' }));
    expect((await world.call('POST', '/secrets', { body: many })).status).toBe(200);
    expectOutcome(await put('ONE_MORE', 'x'), 422, 'name');
    expect((await put('S7', 'another')).status).toBe(200);
    expect(await loadSecrets(world.projectId)).toHaveLength(200);
  });

  test.each([
    ['no array', {}, []],
    [
      'a name twice',
      [
        { name: 'A', valueString: 'x' },
        { name: 'A', valueString: 'y' },
      ],
      ['[1].name'],
    ],
    ['no value', [{ name: 'A' }], ['[0]']],
    ['two values', [{ name: 'A', valueString: 'x', valueBoolean: true }], ['[0]']],
    ['no name', [{ valueString: 'x' }], ['[0].name']],
    ['an unknown field', [{ name: 'A', valueString: 'x', colour: 1 }], ['[0].colour']],
  ])('%s: 400', async (_, body, expressions) => {
    const world = await createWorld();
    expectOutcome(await world.call('POST', '/secrets', { body }), 400, ...expressions);
  });
});

describe('settings and sites', () => {
  test('are replaced as a whole, and an empty list clears them', async () => {
    const world = await createWorld();
    const settings = [{ name: 'invite.days', valueInteger: 3 }];
    const made = await world.call('POST', '/settings', { body: settings });
    expect(made.body).toMatchObject({ setting: settings, meta: { versionId: '2' } });
    const sites = [{ name: 'main', domain: ['app.example.com'] }];
    expect((await world.call('POST', '/sites', { body: sites })).body.site).toEqual(sites);
    expect((await world.call('GET', '')).body.project).toMatchObject({ setting: settings, site: sites });
    expect((await world.call('POST', '/settings', { body: [] })).body.setting).toBeUndefined();
  });

  test('a domain that is none, or a secret in a site: 400', async () => {
    const world = await createWorld();
    expectOutcome(
      await world.call('POST', '/sites', { body: [{ name: 'x', domain: ['https://x'] }] }),
      400,
      '[0].domain[0]',
    );
    const secret = [{ name: 'x', domain: ['x'], googleClientSecret: 's' }];
    expectOutcome(await world.call('POST', '/sites', { body: secret }), 400, '[0].googleClientSecret');
  });
});

describe('client', () => {
  test('201 with a secret that signs in, is shown once, and is stored as a hash', async () => {
    const world = await createWorld();
    const body = { name: 'Robot', description: 'd', redirectUris: ['https://x.example/cb'], accessTokenLifetime: '5m' };
    const made = await world.call('POST', '/client', { body });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toContain(`/ClientApplication/${made.body.id}/_history/1`);
    expect(made.body).toMatchObject({ resourceType: 'ClientApplication', ...body });
    const basic = `Basic ${Buffer.from(`${made.body.id}:${made.body.secret}`).toString('base64')}`;
    expect((await callApi(basic, 'GET', '/auth/me')).status).toBe(200);
    const read = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ClientApplication/${made.body.id}`);
    expect(read.text).not.toContain(made.body.secret);
  });

  test.each([
    ['no name', {}, 'name'],
    ['a lifetime that is none', { name: 'x', accessTokenLifetime: 'soon' }, 'ClientApplication.accessTokenLifetime'],
    ['a relative redirect', { name: 'x', redirectUri: '/cb' }, 'ClientApplication.redirectUri'],
    [
      'a redirect that runs code',
      { name: 'x', redirectUris: ['javascript:alert(1)'] },
      'ClientApplication.redirectUris[0]',
    ],
    ['an unknown field', { name: 'x', colour: 'red' }, 'ClientApplication.colour'],
    ['a policy that is not there', { name: 'x', accessPolicy: { reference: 'AccessPolicy/none' } }, 'accessPolicy'],
  ])('%s: 400', async (_, body, expression) => {
    const world = await createWorld();
    expectOutcome(await world.call('POST', '/client', { body }), 400, expression);
  });
});

test('a number is a number however it is written', async () => {
  const world = await createWorld();
  const body = '[{"name":"DOSE","valueDecimal":1.50},{"name":"LIMIT","valueInteger":1e3}]';
  const kept = await world.call('POST', '/settings', { body });
  expect(kept.status, kept.text).toBe(200);
  expect(kept.body.setting).toMatchObject([{ valueDecimal: 1.5 }, { valueInteger: 1000 }]);
  const bot = await world.call('POST', '/bot', { body: '{"name":"Slow","timeout":10.0}' });
  expect(bot.status, bot.text).toBe(201);
});

test('a bot is made with what else a Bot has', async () => {
  const world = await createWorld();
  const identifier = [{ use: 'official', system: 'urn:x', value: '1', period: { start: '2026-01-01' } }];
  const category = [{ text: 'Billing' }];
  const made = await world.call('POST', '/bot', {
    body: { name: 'Whole', identifier, category, rawBody: true },
  });
  expect(made.body).toMatchObject({ identifier, category, rawBody: true });
  const wrong = await world.call('POST', '/bot', { body: { name: 'Wrong', identifier: [{ use: 'best' }] } });
  expectOutcome(wrong, 400, 'Bot.identifier[0].use');
});
