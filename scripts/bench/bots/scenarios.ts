import { request } from '../request.ts';
import type { Scenario } from '../scenario.ts';

/** `least`: so many a second are promised (issue: the runner), on the machine on which README's table was made. */
export type BotScenario = Scenario & { least?: number };

export type Maker = { base: string; admin: string; token: string };

const HANDLER = 'export async function handler(medplum, event)';
const SEGMENT = `OBX|1|NM|718-7^Hemoglobin^LN||13.2|g/dL|12-16|N|||F|||20260131\r`;
const HL7_BYTES = 20_000;
const JSON_BYTES = 100_000;

/** A bot with this code, deployed; resolves to its id. */
export async function makeBot({ base, admin, token }: Maker, name: string, code: string): Promise<string> {
  const bot = await request(base, 'POST', `${admin}/bot`, { body: { name }, token });
  await request(base, 'POST', `fhir/R4/Bot/${bot.id}/$deploy`, { body: { code, filename: `${name}.js` }, token });
  return bot.id;
}

/** What bots are run for all day long, each by a bot of its own. */
export async function botScenarios(maker: Maker): Promise<BotScenario[]> {
  const { base, token } = maker;
  const patient = await request(base, 'POST', 'fhir/R4/Patient', { body: { resourceType: 'Patient' }, token });
  const read = `medplum.readResource('Patient', '${patient.id}')`;
  const scenario = async (name: string, code: string, body: string, more: { type?: string; least?: number } = {}) => {
    const id = await makeBot(maker, `bench-${made.length}`, `${HANDLER} { ${code} }`);
    const headers = { authorization: `Bearer ${token}`, 'content-type': more.type ?? 'application/json' };
    const path = `/fhir/R4/Bot/${id}/$execute`;
    made.push({ name, method: 'POST', path, headers, body, answer: 'echo', least: more.least });
  };
  const made: BotScenario[] = [];
  await scenario('Echo', 'return event.input;', '{"hello":"world"}', { least: 2500 });
  await scenario('One read', `return ${read};`, '{}', { least: 1800 });
  await scenario('Ten reads', `for (let i = 0; i < 10; i += 1) await ${read}; return 10;`, '{}');
  const type = 'x-application/hl7-v2+er7';
  await scenario('HL7 v2, 20 kB', 'return event.input.buildAck();', makeMessage(), { type });
  await scenario('JSON, 100 kB', 'return event.input;', makeJson());
  return made;
}

function makeMessage(): string {
  const head = 'MSH|^~\\&|LAB|A|EHR|B|20260131120000||ORU^R01|1|P|2.5\rPID|1||77||Nova^Ada\r';
  return head + SEGMENT.repeat(Math.ceil((HL7_BYTES - head.length) / SEGMENT.length));
}

function makeJson(): string {
  const entry = { code: '718-7', display: 'Hemoglobin', value: 13.2, unit: 'g/dL', notes: ['within range'] };
  const size = JSON.stringify(entry).length + 1;
  return JSON.stringify({ entries: Array.from({ length: Math.ceil(JSON_BYTES / size) }, () => entry) });
}
