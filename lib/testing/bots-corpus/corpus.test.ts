import { generateKeyPairSync } from 'node:crypto';
import type { Server } from 'node:http';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { callApi } from '../call-api.ts';
import { changeSettings } from '../change-settings.ts';
import { createWorld, type World } from '../world.ts';
import { startAnyService } from './any-service.ts';
import type { CorpusBot } from './corpus-bot.ts';
import { NETWORK } from './network.ts';
import { PACKAGES } from './packages.ts';
import { PLATFORM } from './platform.ts';
import { PROGRAMS } from './programs.ts';
import { QUESTIONNAIRES } from './questionnaires.ts';
import { RECORDS } from './records.ts';
import { SERVICES } from './services.ts';

/** Within a text of JSON. */
const KEY = JSON.stringify(
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey,
).slice(1, -1);

let world: World;
let service: { server: Server; url: string };
beforeAll(async () => {
  [world, service] = await Promise.all([createWorld(), startAnyService()]);
});
afterAll(() => {
  service.server.closeAllConnections();
  service.server.close();
});

const BOTS: CorpusBot[] = [
  ...QUESTIONNAIRES,
  ...RECORDS,
  ...PROGRAMS,
  ...NETWORK,
  ...PLATFORM,
  ...SERVICES,
  ...PACKAGES,
];

it.each(BOTS.filter(({ refused }) => !refused))('a bot of the peer’s kind runs as it is: $name', async (bot) => {
  if (bot.isOpen !== false) onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: true }));
  const fill = await give(bot.given ?? []);
  const id = await deploy(fill(bot));
  const type = bot.contentType ?? 'application/fhir+json';
  const body = bot.input === undefined ? {} : fill(bot.input);
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${id}/$execute`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': type },
  });
  const wanted = fill(bot.answer);
  const told = typeof wanted === 'string' && answer.body === undefined ? answer.text : answer.body;
  expect({ status: answer.status, told }).toMatchObject({ status: bot.status ?? 200, told: asPart(wanted) });
});

it.each(BOTS.filter(({ refused }) => refused))('$name', async ({ refused, ...bot }) => {
  await expect(deploy(bot)).rejects.toThrow(refused);
});

it('of those that people have, most have all they need', () => {
  const running = BOTS.filter(({ refused }) => !refused);
  expect(running.length).toBeGreaterThanOrEqual(76);
});

it('each call that the peer’s bots make is made by one of them', () => {
  const code = BOTS.map((bot) => bot.code).join('\n');
  expect(CALLS.filter((call) => !code.includes(call))).toEqual([]);
});

const CALLS =
  'getQuestionnaireAnswers EMPTY executeBatch upsertResource fhirUrl readHistory createPdf post download sendEmail getAccessToken readPatientEverything get createMedia executeBot invite fetch( Buffer crypto node-fetch undici stream jose fast-xml-parser FormData valueSetExpand'.split(
    ' ',
  );

/** Of a text, a part. */
function asPart(wanted: unknown): unknown {
  return typeof wanted === 'string' ? expect.stringContaining(wanted) : withParts(wanted);
}

function withParts(wanted: unknown): unknown {
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  if ('$part' in wanted) return expect.stringContaining(String(wanted.$part));
  if (Array.isArray(wanted)) return wanted.map(withParts);
  return Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, withParts(value)]));
}

/** Makes what there is before; returns what puts its references in. */
async function give(resources: Record<string, unknown>[]): Promise<<T>(value: T) => T> {
  const made: { resourceType: string; id: string }[] = [];
  const fill = <T>(value: T): T => {
    const text = JSON.stringify(value) ?? 'null';
    const filled = text
      .replaceAll('{{project}}', world.projectId)
      .replaceAll('{{server}}', service.url)
      .replaceAll('{{key}}', KEY)
      .replaceAll(/\{\{(\d+)(\.id)?\}\}/g, (_, at, isId) => {
        const { resourceType, id } = made[Number(at)]!;
        return isId ? id : `${resourceType}/${id}`;
      });
    return JSON.parse(filled);
  };
  for (const resource of resources) {
    const { status, body, text } = await callApi(world.owner.bearer, 'POST', `/fhir/R4/${resource.resourceType}`, {
      body: fill(resource),
    });
    if (status !== 201) throw new Error(text);
    made.push(body);
  }
  return fill;
}

async function deploy({ name, code: written, bot, admin, isBundled }: CorpusBot): Promise<string> {
  const code = isBundled ? await bundled(written) : written;
  const made = await world.call('POST', '/bot', { body: { name: name.slice(0, 100), ...bot } });
  if (made.status !== 201) throw new Error(made.text);
  const filename = code.includes('exports.') ? 'index.js' : 'index.ts';
  const body = { code, filename };
  const deployed = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, { body });
  if (deployed.status !== 200) throw new Error(deployed.text);
  if (admin) await makeAdmin(made.body.id);
  return made.body.id;
}

/** As people do it themselves, for the peer takes one file. */
async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'browser',
    external: ['@medplum/core'],
  });
  return outputFiles[0]!.text;
}

async function makeAdmin(botId: string): Promise<void> {
  const query = `/fhir/R4/ProjectMembership?profile=Bot/${botId}`;
  const { body } = await callApi(world.owner.bearer, 'GET', query);
  const membership = body.entry[0].resource;
  const made = await world.call('POST', `/members/${membership.id}`, { body: { ...membership, admin: true } });
  if (made.status !== 200) throw new Error(made.text);
}
