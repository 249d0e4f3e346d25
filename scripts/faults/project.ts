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
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Status 0: no answer came. `asked` is the method and the path, without ids. */
export type Heard = { asked: string; status: number; headers: Headers; ms: number };

/** `hear` is told what became of every request. */
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
    const began = performance.now();
    const asked = `${method} ${path.replaceAll(ID, '…')}`;
    try {
      if (began - since > SIGN_IN_MS) [token, since] = [await signIn(), performance.now()];
      const response = await fetch(`${base}/${path}`, {
        method,
        headers: { 'content-type': type, authorization: `Bearer ${token}` },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      hear({ asked, status: response.status, headers: response.headers, ms: performance.now() - began });
      const requestId = response.headers.get('x-request-id') ?? '';
      return { status: response.status, requestId, body: JSON.parse((await response.text()) || '{}') };
    } catch {
      hear({ asked, status: 0, headers: new Headers(), ms: performance.now() - began });
      return undefined;
    }
  }
}
