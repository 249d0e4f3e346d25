import { afterAll, beforeAll, expect, it } from 'vitest';
import { callApi } from '../call-api.ts';
import { changeSettings } from '../change-settings.ts';
import { createWorld, type World } from '../world.ts';
import { CALLERS } from './callers.ts';
import type { CorpusBot } from './corpus-bot.ts';
import { FORMS } from './forms.ts';
import { NODE_FETCH } from './node-fetch.ts';
import { PACKAGES } from './packages.ts';
import { PLATFORM } from './platform.ts';
import { PROGRAMS } from './programs.ts';
import { QUESTIONNAIRES } from './questionnaires.ts';
import { readPackage } from './read-package.ts';
import { RECORDS } from './records.ts';
import { REFUSED } from './refused.ts';
import { type Other, startOther } from './start-other.ts';
import { TRADES } from './trades.ts';

let world: World;
let other: Other;
let changeBack: () => void;
beforeAll(async () => {
  world = await createWorld();
  other = await startOther();
  changeBack = changeSettings({ FETCH_PRIVATE_ADDRESSES: true });
});
afterAll(async () => {
  changeBack?.();
  await other?.stop();
});

const BOTS: CorpusBot[] = [
  ...QUESTIONNAIRES,
  ...RECORDS,
  ...PROGRAMS,
  ...CALLERS,
  ...FORMS,
  ...NODE_FETCH,
  ...PACKAGES,
  ...TRADES,
  ...PLATFORM,
];

it.each(BOTS)('a bot of the peer’s kind runs as it is: $name', async (bot) => {
  const fill = await give(bot.given ?? []);
  const id = await deploy(fill(bot));
  const type = bot.contentType ?? 'application/fhir+json';
  const body = bot.input === undefined ? {} : fill(bot.input);
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${id}/$execute`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': type, ...bot.headers },
  });
  const wanted = fill(bot.answer);
  const told = typeof wanted === 'string' && answer.body === undefined ? answer.text : answer.body;
  expect({ status: answer.status, told }).toMatchObject({ status: bot.status ?? 200, told: asPart(wanted) });
});

it.each(REFUSED)('a bot that cannot be ours is refused at its deploy, with the reason: $name', async (bot) => {
  const answer = await tryToDeploy(bot);
  expect(answer.status).toBe(400);
  expect(answer.body.issue[0].details.text).toContain(bot.refused);
});

it('of bots like the 76 that exist, as many have all they need as are asked for', () => {
  expect(new Set([...BOTS, ...REFUSED].map(({ name }) => name)).size).toBe(BOTS.length + REFUSED.length);
  expect(BOTS.length).toBeGreaterThanOrEqual(66);
});

it('each call of the issue is made by one of them', () => {
  const code = [...BOTS, ...REFUSED].map((bot) => bot.code).join('\n');
  expect(CALLS.filter((call) => !code.includes(call))).toEqual([]);
});

const CALLS =
  'getQuestionnaireAnswers EMPTY executeBatch upsertResource fhirUrl readHistory createPdf post download sendEmail getAccessToken readPatientEverything get createMedia executeBot invite fetch( Buffer node:crypto node-fetch stream undici jose form-data fast-xml-parser twilio valueSetExpand graphql'.split(
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
      .replaceAll('{{server}}', other.address)
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

async function deploy(bot: CorpusBot): Promise<string> {
  const deployed = await tryToDeploy(bot);
  if (deployed.status !== 200) throw new Error(deployed.text);
  if (bot.admin) await makeAdmin(deployed.id);
  return deployed.id;
}

async function tryToDeploy({ name, code, bot, files, packages = [] }: CorpusBot) {
  const made = await world.call('POST', '/bot', { body: { name: name.slice(0, 100), ...bot } });
  if (made.status !== 201) throw new Error(made.text);
  const filename = code.includes('exports.') ? 'index.js' : 'index.ts';
  const own = Object.entries(files ?? {}).map(([of, content]) => ({ filename: of, content }));
  const all = [...own, ...(await Promise.all(packages.map(readPackage))).flat()];
  const body = { code, filename, ...(all.length > 0 && { files: all }) };
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, { body });
  return { ...answer, id: made.body.id as string };
}

async function makeAdmin(botId: string): Promise<void> {
  const query = `/fhir/R4/ProjectMembership?profile=Bot/${botId}`;
  const { body } = await callApi(world.owner.bearer, 'GET', query);
  const membership = body.entry[0].resource;
  const made = await world.call('POST', `/members/${membership.id}`, { body: { ...membership, admin: true } });
  if (made.status !== 200) throw new Error(made.text);
}
