import { afterAll, beforeAll, expect, test } from 'vitest';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { type Call, callApi } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let bot: string;
const execute = (call: Call) => callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, call);

beforeAll(async () => {
  world = await createWorld();
  bot = await deployedBot(
    world,
    `export async function handler(medplum: any, { input }: any) {
      if (input.getSegment?.('MSH').getField(10)?.toString() === 'ECHO') return input;
      return input.getSegment ? { hl7: input.getSegment('PID').getField(5).getComponent(1) } : { value: input };
    }`,
  );
});
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const message = (charset: string, name = 'MÜLLER') =>
  `MSH|^~\\&|LAB|HOSP|EHR|HOSP|20260101||ADT^A01|1|P|2.5||||||${charset}\rPID|1||1||${name}\r`;

test.each([
  ['the charset of the media type', 'x-application/hl7-v2+er7; charset=iso-8859-1', message('UNICODE UTF-8')],
  ['MSH-18', 'x-application/hl7-v2+er7', message('8859/1')],
])('HL7 bytes are read by %s', async (_, type, text) => {
  const answer = await execute({ body: latin1(text), headers: { 'content-type': type } });
  expect([answer.status, JSON.parse(answer.text).hl7]).toEqual([200, 'MÜLLER']);
});

test('a message comes back byte for byte, in the charset that its MSH-18 says', async () => {
  const text = message('8859/1').replace('|1|P|', '|ECHO|P|');
  const headers = { 'content-type': 'x-application/hl7-v2+er7' };
  const echo = async (body: string | Uint8Array) => {
    const answer = await execute({ body, headers });
    return [answer.headers.get('content-type'), answer.bytes.toString('latin1')];
  };
  expect(await echo(latin1(text))).toEqual([`${headers['content-type']}; charset=iso-8859-1`, text]);
  const odd = latin1(text.replace('MÜLLER', '\u0080\u0085\u0093\u009f'));
  expect(Buffer.from((await execute({ body: odd, headers })).bytes).equals(odd)).toBe(true);
  const utf8 = text.replace('8859/1', 'UNICODE UTF-8').replace('MÜLLER', 'MŰLLER');
  expect(await echo(utf8)).toEqual([`${headers['content-type']}; charset=utf-8`, Buffer.from(utf8).toString('latin1')]);
});

test('a message with a document in it may be large', async () => {
  const text = `${message('').replace('|1|P|', '|ECHO|P|')}OBX|1|ED|PDF||^application^pdf^Base64^${'QUJD'.repeat(1_300_000)}\r`;
  const answer = await execute({ body: text, headers: { 'content-type': 'x-application/hl7-v2+er7' } });
  expect([answer.status, answer.text === text]).toEqual([200, true]);
});

test('text is read by its charset', async () => {
  const headers = { 'content-type': 'text/plain; charset="iso-8859-1"' };
  const answer = await execute({ body: latin1('Grüße'), headers });
  expect(JSON.parse(answer.text).value).toBe('Grüße');
});

test.each([
  ['bytes that are not UTF-8', 'x-application/hl7-v2+er7', message('')],
  ['bytes that are not what MSH-18 says', 'x-application/hl7-v2+er7', message('UNICODE UTF-8')],
  ['an unknown charset in MSH-18', 'x-application/hl7-v2+er7', message('KLINGON')],
  ['an unknown charset of text', 'text/plain; charset=klingon', 'x'],
])('%s are 400', async (_, type, text) => {
  const answer = await execute({ body: latin1(text), headers: { 'content-type': type } });
  expect([answer.status, answer.body.issue[0].code]).toEqual([400, 'structure']);
});
