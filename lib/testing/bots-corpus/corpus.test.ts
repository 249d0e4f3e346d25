import { beforeAll, expect, it } from 'vitest';
import { callApi } from '../call-api.ts';
import { createWorld, type World } from '../world.ts';
import type { CorpusBot } from './corpus-bot.ts';
import { QUESTIONNAIRES } from './questionnaires.ts';
import { RECORDS } from './records.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const BOTS = [...QUESTIONNAIRES, ...RECORDS];

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

it('each call of the issue is made by one of them', () => {
  const code = BOTS.map((bot) => bot.code).join('\n');
  const calls = ['getQuestionnaireAnswers', 'EMPTY', 'executeBatch', 'upsertResource', 'fhirUrl', 'readHistory'];
  expect(calls.filter((call) => !code.includes(call))).toEqual([]);
});

function asPart(wanted: unknown): unknown {
  return typeof wanted === 'string' ? expect.stringContaining(wanted) : wanted;
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

async function deploy({ name, code, files, bot, admin }: CorpusBot): Promise<string> {
  const made = await world.call('POST', '/bot', { body: { name: name.slice(0, 100), ...bot } });
  if (made.status !== 201) throw new Error(made.text);
  const filename = code.includes('exports.') ? 'index.js' : 'index.ts';
  const body = files ? { files: [{ filename, code }, ...files] } : { code, filename };
  const deployed = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, { body });
  if (deployed.status !== 200) throw new Error(deployed.text);
  if (admin) await makeAdmin(made.body.id);
  return made.body.id;
}

async function makeAdmin(botId: string): Promise<void> {
  const query = `/fhir/R4/ProjectMembership?profile=Bot/${botId}`;
  const { body } = await callApi(world.owner.bearer, 'GET', query);
  const { id } = body.entry[0].resource;
  const patch = { body: [{ op: 'add', path: '/admin', value: true }], headers: { 'content-type': 'application/json-patch+json' } };
  const patched = await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/ProjectMembership/${id}`, patch);
  if (patched.status !== 200) throw new Error(patched.text);
}
