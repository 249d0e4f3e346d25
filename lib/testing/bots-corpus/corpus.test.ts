import { beforeAll, expect, it } from 'vitest';
import { callApi } from '../call-api.ts';
import { createWorld, type World } from '../world.ts';
import type { CorpusBot } from './corpus-bot.ts';
import { PROGRAMS } from './programs.ts';
import { QUESTIONNAIRES } from './questionnaires.ts';
import { RECORDS } from './records.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const BOTS: CorpusBot[] = [...QUESTIONNAIRES, ...RECORDS, ...PROGRAMS];

it.each(BOTS)('a bot of the peer’s kind runs as it is: $name', async (bot) => {
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

it('each call of the issue that needs no network is made by one of them', () => {
  const code = BOTS.map((bot) => bot.code).join('\n');
  expect(CALLS.filter((call) => !code.includes(call))).toEqual([]);
});

const CALLS =
  'getQuestionnaireAnswers EMPTY executeBatch upsertResource fhirUrl readHistory createPdf post download sendEmail getAccessToken readPatientEverything get createMedia executeBot invite'.split(
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

async function deploy({ name, code, bot, admin }: CorpusBot): Promise<string> {
  const made = await world.call('POST', '/bot', { body: { name: name.slice(0, 100), ...bot } });
  if (made.status !== 201) throw new Error(made.text);
  const filename = code.includes('exports.') ? 'index.js' : 'index.ts';
  const body = { code, filename };
  const deployed = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, { body });
  if (deployed.status !== 200) throw new Error(deployed.text);
  if (admin) await makeAdmin(made.body.id);
  return made.body.id;
}

async function makeAdmin(botId: string): Promise<void> {
  const query = `/fhir/R4/ProjectMembership?profile=Bot/${botId}`;
  const { body } = await callApi(world.owner.bearer, 'GET', query);
  const membership = body.entry[0].resource;
  const made = await world.call('POST', `/members/${membership.id}`, { body: { ...membership, admin: true } });
  if (made.status !== 200) throw new Error(made.text);
}
