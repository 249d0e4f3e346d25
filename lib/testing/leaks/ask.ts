import { newId } from '#lib/base/ids.ts';
import { type Answer, callApi } from '../call-api.ts';
import { callFhir, FHIR_BASE } from '../fhir/call-fhir.ts';
import { PREFER } from '../fhir/exports.ts';
import type { Caller } from '../fhir/fhir-project.ts';
import type { Asker } from './build-world.ts';
import type { Question } from './make-question.ts';

export type Said = { status: number; text: string };

/** Of one question: all that comes of it, whatever pages or files it has. */
export async function ask(asker: Asker, question: Question): Promise<Said> {
  const { status, text } = await put(asker, { ...question, ...named(question, asker.names) });
  return { status, text: masked(text) };
}

/** What is not in this world has an id that nothing has. */
function named({ path, body }: Question, names: Asker['names']): Pick<Question, 'path' | 'body'> {
  const put = (text: string) => text.replace(/Binary\/binary-\d/g, (name) => names.get(name) ?? `Binary/${newId()}`);
  return { path: put(path), body: body && JSON.parse(put(JSON.stringify(body))) };
}

async function put({ self, admin, bot }: Asker, question: Question): Promise<Said> {
  const { way = 'self' } = question;
  if (way === 'bot') return askByBot(self, bot, question);
  const onBehalf = { 'x-medplum-on-behalf-of': `ProjectMembership/${self.membershipId}` };
  const who = way === 'behalf' ? admin : self;
  const headers = { ...question.headers, ...(way === 'behalf' && onBehalf) };
  if (question.isExport) return askForFiles(who, { ...question, headers });
  return askForPages(who, { ...question, headers });
}

/** Undefined where there is no end to it. */
const MOST_PAGES = 6;

async function askForPages(who: Caller, { method, path, body, headers }: Question): Promise<Said> {
  const call = { body: Array.isArray(body) ? JSON.stringify(body) : body, headers };
  let answer = await callFhir(who, method, encodeURI(path), call);
  let text = toText(answer);
  for (let page = 1; page < MOST_PAGES && nextOf(answer); page++) {
    answer = await callFhir(who, 'GET', nextOf(answer)!, { headers });
    text += `\n${toText(answer)}`;
  }
  return { status: answer.status, text };
}

/** With what headers tell. */
function toText(answer: Answer): string {
  const told = ['etag', 'location', 'content-location'].flatMap((name) => answer.headers.get(name) ?? []);
  return [...told, answer.body ? JSON.stringify(answer.body) : answer.text].join('\n');
}

function nextOf({ body }: Answer): string | undefined {
  const { url } = body?.link?.find?.(({ relation }: { relation: string }) => relation === 'next') ?? {};
  return url?.slice(FHIR_BASE.length + 1);
}

async function askByBot(self: Caller, bot: string, { method, path, body, headers }: Question): Promise<Said> {
  const input = [[method, `fhir/R4/${encodeURI(path)}`, body, headers]];
  const answer = await callApi(self.authorization, 'POST', `/fhir/R4/Bot/${bot}/$execute`, {
    body: input,
    headers: { 'content-type': 'application/json' },
  });
  const [status, text] = answer.status === 200 ? answer.body[0] : [answer.status, answer.text];
  return { status, text };
}

/** The files as they come, in an order of their own. */
async function askForFiles(who: Caller, { path, headers }: Question): Promise<Said> {
  const started = await callFhir(who, 'GET', encodeURI(path), { headers: { ...PREFER, ...headers } });
  if (started.status !== 202) return started;
  const job = started.headers.get('content-location')!.slice(FHIR_BASE.length + 1);
  let answer: Answer;
  do answer = await callFhir(who, 'GET', job, { headers });
  while (answer.status === 202);
  const { output = [], error = [] } = answer.body ?? {};
  const files: string[] = [];
  for (const { type, url, count } of output) {
    const { text } = await callApi(undefined, 'GET', url.slice('http://localhost:3999'.length));
    files.push(`${type} ${count}\n${text.split('\n').sort().join('\n')}`);
  }
  return { status: answer.status, text: [...files.sort(), JSON.stringify(error)].join('\n') };
}

/** Without what tells two projects apart that are the same. */
function masked(text: string): string {
  return text
    .replace(/\\"/g, '"')
    .replace(/"(lastUpdated|lastModified|timestamp|date)":"[^"]*"/g, '"$1":"…"')
    .replace(/_cursor=[^"&\s]*/g, '_cursor=…')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid')
    .replace(/"extension":\[\],?/g, '');
}
