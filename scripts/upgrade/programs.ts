import { setTimeout as pause } from 'node:timers/promises';
import type { Project } from '../faults/project.ts';
import { SYSTEM } from '../faults/work.ts';
import type { Answer, Ask, Call, Ended, Side } from './sides.ts';

/** A program of the project, and its tokens: of each version one that it made. */
export type Program = {
  projectId: string;
  botId: string;
  credentials: Record<string, string>;
  tokens: [string, string];
};

const BETWEEN_MS = 50;
const OPERATIONS: readonly [method: string, path: RegExp, name: string][] = [
  ['POST', /^fhir\/R4\/Patient$/, 'Create'],
  ['PUT', /^fhir\/R4\/Patient/, 'Update'],
  ['POST', /\/invite$/, 'Invite'],
  ['PATCH', /\/members\//, 'Change a member'],
  ['POST', /\$execute$/, 'Run a bot'],
  ['POST', /\/jobs$/, 'Bulk invitation'],
  ['GET', /\/jobs\//, 'Look at a bulk job'],
];

/** For faults/work.ts: what it asks goes to each version in turn, with a token that the one made or the other. */
export function asProject(
  ask: Ask,
  sides: [Side, Side],
  program: Program,
  created: (key: string, id: string) => void,
): Project {
  let asked = 0;
  const { projectId, botId } = program;
  return {
    projectId,
    domain: 'faults.example',
    botId,
    async ask(method, path, body, type) {
      asked += 1;
      const [side, token] = [sides[asked % 2]!, program.tokens[(asked >> 1) % 2]!];
      const name = OPERATIONS.find((of) => of[0] === method && of[1].test(path))?.[2] ?? `${method} ${path}`;
      const answer = await ask(name, side, method, path, { body, type, token });
      if (name === 'Create' && answer?.status === 201) created(answer.body.identifier[0].value, answer.body.id);
      return answer;
    },
  };
}

/** Tokens, reads and searches of what the other version has just written, for as long as `goesOn`. */
export async function readAll(
  ask: Ask,
  sides: [Side, Side],
  program: Program,
  newest: () => { key: string; id: string } | undefined,
  goesOn: () => boolean,
): Promise<void> {
  for (let round = 0; goesOn(); round++) {
    const at = round % 2;
    const side = sides[at]!;
    program.tokens[at] = (await askToken(ask, side, program.credentials)) ?? program.tokens[at]!;
    const token = program.tokens[(round >> 1) % 2]!;
    const patient = newest();
    if (patient) {
      await ask('Read', side, 'GET', `fhir/R4/Patient/${patient.id}`, { token });
      const search = `fhir/R4/Patient?identifier=${encodeURIComponent(`${SYSTEM}|${patient.key}`)}`;
      await ask('Search', side, 'GET', search, {
        token,
        expect: (found) => found.entry?.[0]?.resource?.id === patient.id,
      });
    }
    await pause(BETWEEN_MS);
  }
}

async function askToken(ask: Ask, side: Side, credentials: Record<string, string>, call: Call = {}) {
  const form = { grant_type: 'client_credentials', ...credentials };
  const answer: Answer | undefined = await ask('Token of a program', side, 'POST', 'oauth2/token', { form, ...call });
  return answer?.body.access_token as string | undefined;
}

/** A program is switched off here, which ends its tokens there; and on again there. */
export async function switchPrograms(
  ask: Ask,
  sides: [Side, Side],
  program: Program,
  other: { id: string; secret: string },
  ended: Ended,
  goesOn: () => boolean,
): Promise<void> {
  const path = `admin/projects/${program.projectId}/clients/${other.id}`;
  const credentials = { client_id: other.id, client_secret: other.secret };
  for (let round = 0; goesOn(); round++) {
    const [here, there] = round % 2 === 0 ? sides : [sides[1], sides[0]];
    const token = await askToken(ask, (round >> 1) % 2 === 0 ? here : there, credentials);
    await ask('Its own record', there, 'GET', `fhir/R4/ClientApplication/${other.id}`, { token });
    await ask('Switch a program off', here, 'POST', `${path}/disable`, { token: program.tokens[0] });
    await ask('With a token that ended', there, 'GET', `fhir/R4/ClientApplication/${other.id}`, { token, ...ended });
    await ask('With a token that ended', here, 'GET', `fhir/R4/ClientApplication/${other.id}`, { token, ...ended });
    await ask('Switch a program on', there, 'POST', `${path}/enable`, { token: program.tokens[1] });
    await pause(1000);
  }
}
