import { openProject } from '../bench/open-project.ts';
import { request } from '../bench/request.ts';

export type Answer = { status: number; requestId: string; body: Record<string, string> };

/** What the work is done in. */
export type Project = {
  projectId: string;
  /** Of everybody who is invited to it. */
  domain: string;
  botId: string;
  /** Undefined: nobody knows what became of it. */
  ask(method: string, path: string, body?: unknown, type?: string): Promise<Answer | undefined>;
};

const CODE = 'exports.handler = async (medplum, event) => event.input;';
/** A token lives for an hour. */
const SIGN_IN_MS = 20 * 60_000;
const ANSWER_MS = 20_000;

export type Heard = { status: number; headers: Headers; ms: number };

/** `hear` is told of every answer. */
export async function makeProject(
  base: string,
  domain = 'faults.example',
  hear: (answer: Heard) => void = () => undefined,
): Promise<Project> {
  const { projectId, signIn } = await openProject(base, `owner@${domain}`);
  let token = await signIn();
  let since = performance.now();
  const bot = await request(base, 'POST', `admin/projects/${projectId}/bot`, { body: { name: 'Echo' }, token });
  await request(base, 'POST', `fhir/R4/Bot/${bot.id}/$deploy`, { body: { code: CODE, filename: 'echo.js' }, token });

  return { projectId, domain, botId: bot.id, ask };

  async function ask(method: string, path: string, body?: unknown, type = 'application/json') {
    try {
      if (performance.now() - since > SIGN_IN_MS) [token, since] = [await signIn(), performance.now()];
      const asked = performance.now();
      const response = await fetch(`${base}/${path}`, {
        method,
        headers: { 'content-type': type, authorization: `Bearer ${token}` },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      hear({ status: response.status, headers: response.headers, ms: performance.now() - asked });
      const requestId = response.headers.get('x-request-id') ?? '';
      return { status: response.status, requestId, body: JSON.parse((await response.text()) || '{}') };
    } catch {
      return undefined;
    }
  }
}
