import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { exportPKCS8 } from 'jose';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { admission, FEED_PORTS, freeFeedPort } from '../hl7.ts';
import { makeKeyPair, startKeyServer } from '../servers/key-server.ts';
import { makePeerProject, type PeerProject } from './peer-project.ts';
import { type Cli, makeCli } from './run-cli.ts';
import { type PeerApi, startApi } from './start-api.ts';

/** `@medplum/cli`, unmodified, as child processes against the API in its own process (contract §1.7). A command takes a second. */
const SLOW = 90_000;
let api: PeerApi;
let project: PeerProject;
/** Signed in once, and then knowing who it is from its home folder. */
let cli: Cli;
const others: Cli[] = [];

beforeAll(async () => {
  const ports = `${FEED_PORTS.from}-${FEED_PORTS.to}`;
  api = await startApi({ FETCH_PRIVATE_ADDRESSES: 'true', MLLP_PORTS: ports });
  project = await makePeerProject(api.baseUrl);
  cli = await makeCli();
}, SLOW);
afterAll(async () => {
  await Promise.all([cli, ...others].map((one) => one?.remove()));
  await api?.stop();
});

/** With the client's credentials as options, as the peer's documentation writes it. */
function credentials(): string[] {
  const { clientId, clientSecret } = project;
  return ['--base-url', `${api.baseUrl}/`, '--client-id', clientId, '--client-secret', clientSecret];
}

function jwksPatch(value: string): string {
  return JSON.stringify([{ op: 'add', path: '/jwksUri', value }]);
}

async function json(...args: string[]) {
  const { code, output } = await cli.run(...args);
  expect({ code, output }).toMatchObject({ code: 0 });
  return JSON.parse(output);
}

it(
  'login with client credentials, then whoami, project current and token',
  async () => {
    const login = await cli.run('login', '--auth-type', 'client-credentials', ...credentials());
    expect(login).toMatchObject({ code: 0 });
    const who = await cli.run('whoami');
    expect(who.output).toContain(`${api.baseUrl}/`);
    expect(who.output).toContain('Peer client');
    expect(who.output).toContain(`Peer 1 (Project/${project.projectId})`);
    expect((await cli.run('project', 'current')).output).toContain(project.projectId);
    expect((await cli.run('token')).output).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\s*$/);
  },
  SLOW,
);

it(
  'login with a signed assertion instead of a secret',
  async () => {
    const [keys, pair, signed] = await Promise.all([startKeyServer(), makeKeyPair('RS384'), makeCli()]);
    others.push(signed);
    onTestFinished(() => keys.stop());
    keys.keys = [pair.publicJwk];
    await json('patch', `ClientApplication/${project.clientId}`, jwksPatch(keys.jwksUri));
    await writeFile(join(signed.folder, 'key.pem'), await exportPKCS8(pair.privateKey));
    const options = ['--base-url', `${api.baseUrl}/`, '--client-id', project.clientId, '--audience', 'oauth2/token'];
    const login = await signed.run(
      'login',
      '--auth-type',
      'jwt-assertion',
      ...options,
      '--private-key-path',
      'key.pem',
    );
    expect(login).toMatchObject({ code: 0 });
    expect((await signed.run('whoami')).output).toContain('Peer client');
  },
  SLOW,
);

it(
  'basic login: later commands send the credentials themselves',
  async () => {
    const basic = await makeCli();
    others.push(basic);
    expect(await basic.run('login', '--auth-type', 'basic', ...credentials())).toMatchObject({ code: 0 });
    const { code, output } = await basic.run('get', 'ProjectMembership?_count=1');
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('"searchset"') });
  },
  SLOW,
);

it(
  'without a login, credentials from the environment',
  async () => {
    const { clientId, clientSecret } = project;
    const bare = await makeCli({
      MEDPLUM_BASE_URL: `${api.baseUrl}/`,
      MEDPLUM_CLIENT_ID: clientId,
      MEDPLUM_CLIENT_SECRET: clientSecret,
    });
    others.push(bare);
    expect((await bare.run('get', 'Patient?_summary=count')).output).toContain('"total": 0');
  },
  SLOW,
);

it(
  'a wrong secret is refused, and the CLI says so in its own words',
  async () => {
    const wrong = await makeCli();
    others.push(wrong);
    const args = credentials().with(-1, 'not-the-secret');
    const { code, output } = await wrong.run('get', 'Patient', ...args);
    expect(code).not.toBe(0);
    expect(output).toContain('Failed to fetch tokens');
  },
  SLOW,
);

it(
  'project invite, then promotion of the member as documented, demotion and removal',
  async () => {
    const invited = await cli.run('project', 'invite', 'Cleo', 'Line', 'cleo@peer.example', '--role', 'Practitioner');
    expect(invited).toMatchObject({ code: 0 });
    const found = await json('get', 'ProjectMembership?profile-type=Practitioner&_sort=-_lastUpdated&_count=1');
    const { id, profile, admin } = found.entry[0].resource;
    expect({ display: profile.display, admin }).toEqual({ display: 'Cleo Line', admin: false });
    const path = `admin/projects/${project.projectId}/members/${id}`;
    const promoted = await json('patch', path, '[{"op":"replace","path":"/admin","value":true}]');
    expect(promoted).toMatchObject({ id, admin: true });
    expect(await json('post', path, JSON.stringify({ ...promoted, admin: false }))).toMatchObject({ admin: false });
    expect(await json('delete', path)).toMatchObject({ resourceType: 'OperationOutcome', id: 'ok' });
  },
  SLOW,
);

it(
  'post, get, put, patch and delete of resources',
  async () => {
    const patient = await json('post', 'Patient', '{"resourceType":"Patient","name":[{"family":"Line"}]}');
    const path = `Patient/${patient.id}`;
    expect(await json('get', path)).toEqual(patient);
    expect(await json('put', path, JSON.stringify({ ...patient, active: true }))).toMatchObject({ active: true });
    expect(await json('patch', path, '[{"op":"add","path":"/gender","value":"male"}]')).toMatchObject({
      gender: 'male',
    });
    expect(await json('delete', path)).toMatchObject({ id: 'ok' });
    expect((await cli.run('get', path)).output).toContain('Deleted');
  },
  SLOW,
);

it(
  'bot create, save, deploy, and a run',
  async () => {
    const source =
      'export async function handler(medplum: unknown, event: { input: unknown }) { return { got: event.input }; }\n';
    await writeFile(join(cli.folder, 'hello.ts'), source);
    await writeFile(
      join(cli.folder, 'hello.js'),
      'exports.handler = async (medplum, event) => ({ got: event.input });\n',
    );
    const created = await cli.run('bot', 'create', 'hello', project.projectId, 'hello.ts', 'hello.js');
    expect(created.output).toContain('Success! Bot created:');
    const saved = await cli.run('bot', 'save', 'hello');
    expect(saved.output).toContain('Success!');
    const deployed = await cli.run('bot', 'deploy', 'hello');
    expect(deployed.output).toContain('All OK');
    const found = await json('get', 'Bot?name=hello');
    const bot = found.entry[0].resource;
    expect(await json('post', `Bot/${bot.id}/$execute`, '{"a":1}')).toEqual({ got: { a: 1 } });
  },
  SLOW,
);

it(
  'bot deploy of what esbuild has made of many files and packages',
  async () => {
    await mkdir(join(cli.folder, 'lib'));
    await writeFile(
      join(cli.folder, 'lib/units.ts'),
      "import { jwtVerify } from 'jose';\nexport const has = typeof jwtVerify;\n",
    );
    await writeFile(
      join(cli.folder, 'many.ts'),
      "import { getReferenceString } from '@medplum/core';\nimport { has } from './lib/units';\nexport async function handler(medplum: unknown, event: { input: { id: string; resourceType: 'Patient' } }) { return [has, getReferenceString(event.input)]; }\n",
    );
    // As the peer's documentation bundles bots.
    await build({
      entryPoints: [join(cli.folder, 'many.ts')],
      outfile: join(cli.folder, 'many.js'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['@medplum/core'],
      nodePaths: [join(import.meta.dirname, '../../../node_modules')],
    });
    const created = await cli.run('bot', 'create', 'many', project.projectId, 'many.ts', 'many.js');
    expect(created.output).toContain('Success! Bot created:');
    expect((await cli.run('bot', 'deploy', 'many')).output).toContain('All OK');
    const { entry } = await json('get', 'Bot?name=many');
    const answer = await json('post', `Bot/${entry[0].resource.id}/$execute`, '{"resourceType":"Patient","id":"1"}');
    expect(answer).toEqual(['function', 'Patient/1']);
  },
  SLOW,
);

it(
  'bulk export writes a file of each type',
  async () => {
    const patient = await json('post', 'Patient', '{"resourceType":"Patient"}');
    const { code, output } = await cli.run('bulk', 'export', '-t', 'Patient');
    expect({ code, output }).toMatchObject({ code: 0 });
    const [file = ''] = (await readdir(cli.folder)).filter((name) => /^Patient.*\.ndjson$/.test(name));
    expect(await readFile(join(cli.folder, file), 'utf8')).toContain(patient.id);
  },
  SLOW,
);

it(
  'the older names of the commands of bots',
  async () => {
    await writeFile(join(cli.folder, 'older.js'), 'exports.handler = async () => 1;\n');
    const created = await cli.run('create-bot', 'older', project.projectId, 'older.js', 'older.js');
    expect(created.output).toContain('Success! Bot created:');
    // Only the newer command writes down what it has made.
    expect((await cli.run('save-bot', 'hello')).output).toContain('Success!');
    expect((await cli.run('deploy-bot', 'hello')).output).toContain('All OK');
  },
  SLOW,
);

it(
  'project list and switch know what the person is signed in to',
  async () => {
    expect((await cli.run('project', 'list')).output).toContain(project.projectId);
    const { output } = await cli.run('project', 'switch', project.projectId);
    expect(output).toContain('Switched to project');
  },
  SLOW,
);

it(
  'hl7 send to a feed of ours, which acknowledges it',
  async () => {
    const { entry } = await json('get', 'Bot?name=hello');
    const port = await freeFeedPort();
    const feeds = `admin/projects/${project.projectId}/hl7-feeds`;
    const body = JSON.stringify({ name: 'Feed', bot: { reference: `Bot/${entry[0].resource.id}` }, port });
    const feed = await json('post', feeds, body);
    const isListening = async () => (await json('get', `${feeds}/${feed.id}`)).state.listening;
    await expect.poll(isListening, { timeout: SLOW }).toBe(true);
    await writeFile(join(cli.folder, 'admission.hl7'), admission('77'));
    const { output } = await cli.run('hl7', 'send', 'localhost', String(port), '--file', 'admission.hl7');
    expect(output).toMatch(/MSA\|AA\|77/);
    expect(await json('delete', `${feeds}/${feed.id}`)).toMatchObject({ resourceType: 'OperationOutcome' });
  },
  SLOW,
);
