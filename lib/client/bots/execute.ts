import { ApiError, toIssues } from '../api/api-error.ts';
import { leaveOtherProject, ofPageProject } from '../api/page-project.ts';
import { whilePending } from '../api/pending.ts';
import { regainSession } from '../api/session-guard.ts';

/** The five content types of `$execute` (contract §2.5); `query` is GET with the text as a query string. */
export const INPUT_KINDS = ['json', 'text', 'form', 'fhir', 'hl7', 'query'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

export type BotInput = { kind: InputKind; text: string };

const CONTENT_TYPES: Record<Exclude<InputKind, 'query'>, string> = {
  json: 'application/json',
  text: 'text/plain',
  form: 'application/x-www-form-urlencoded',
  fhir: 'application/fhir+json',
  hl7: 'x-application/hl7-v2+er7',
};

export type BotAnswer = {
  status: number;
  contentType: string;
  body: string;
  durationMs: number;
  requestId: string | undefined;
  /** Of an answer that is not 2xx. */
  error: ApiError | undefined;
};

/** Runs the live version. Whatever the bot answers is a result, not an exception; only an answer that never came throws. */
export async function executeBot(botId: string, input: BotInput, signal?: AbortSignal): Promise<BotAnswer> {
  const { path, init } = toRequest(botId, input);
  const run = () => exchange(path, init, signal);
  return init.method === 'GET' ? run() : whilePending(run);
}

async function exchange(path: string, init: RequestInit, signal?: AbortSignal): Promise<BotAnswer> {
  const failed = (error: unknown) => {
    throw signal?.aborted ? error : new ApiError(0, []);
  };
  const startedAt = performance.now();
  const headers = { ...init.headers, ...ofPageProject() };
  const send = () =>
    fetch(path, { ...init, headers, credentials: 'same-origin', cache: 'no-store', signal }).catch(failed);
  let response = await send();
  if (response.status === 401 && (await regainSession())) response = await send();
  const body = await response.text();
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const error = response.ok ? undefined : new ApiError(response.status, toIssues(parse(body)), requestId);
  if (error) leaveOtherProject(error);
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body,
    durationMs: Math.round(performance.now() - startedAt),
    requestId,
    error,
  };
}

/** One field a line, or the usual `a=1&b=2`. */
function toFields(text: string): string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 1 && lines[0]!.includes('&')) return lines[0]!.trim();
  const fields = lines.map((line): [string, string] => {
    const cut = line.indexOf('=');
    return cut < 0 ? [line.trim(), ''] : [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
  });
  return new URLSearchParams(fields).toString();
}

/** Segments of HL7 v2 end with a carriage return; a text box gives line feeds. */
function toSegments(text: string): string {
  return text.trim().replaceAll(/\r?\n/g, '\r');
}

export function toRequest(botId: string, { kind, text }: BotInput): { path: string; init: RequestInit } {
  const path = `/fhir/R4/Bot/${botId}/$execute`;
  if (kind === 'query') {
    const query = toFields(text);
    return { path: query ? `${path}?${query}` : path, init: { method: 'GET' } };
  }
  const body = kind === 'form' ? toFields(text) : kind === 'hl7' ? toSegments(text) : text;
  return { path, init: { method: 'POST', headers: { 'Content-Type': CONTENT_TYPES[kind] }, body } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
