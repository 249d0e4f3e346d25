import { ApiError, isUnproven, toIssues } from './api-error.ts';
import { leaveOtherProject, ofPageProject } from './page-project.ts';
import { whilePending } from './pending.ts';
import { regainProof } from './proof-guard.ts';
import { regainSession } from './session-guard.ts';

export type ApiRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  contentType?: string;
  /** Sent as it is, instead of a body. */
  file?: Blob;
  /** A `meta.versionId`; a stale one is answered 412. */
  ifMatch?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Part of signing in itself, for whichever project: a 401 is an answer, not a lost session. */
  signingIn?: boolean;
};

export type ApiAnswer<Body> = { body: Body; status: number; headers: Headers };

/** Calls our own HTTP API with the session cookie. Returns the parsed body; throws ApiError for every refusal. */
export async function api<Body>(path: string, request: ApiRequest = {}): Promise<Body> {
  return (await apiAnswer<Body>(path, request)).body;
}

/** Like `api`, with status and headers. What writes is pending until it is answered. */
export async function apiAnswer<Body>(path: string, request: ApiRequest = {}): Promise<ApiAnswer<Body>> {
  const isRead = (request.method ?? 'GET') === 'GET';
  return isRead ? exchange(path, request) : whilePending(() => exchange(path, request));
}

async function exchange<Body>(path: string, request: ApiRequest): Promise<ApiAnswer<Body>> {
  const response = await apiResponse(path, request);
  return { body: (await readBody(response)) as Body, status: response.status, headers: response.headers };
}

/** Like `api`, with a body that nobody has read yet. */
export async function apiResponse(path: string, request: ApiRequest): Promise<Response> {
  let response = await sendSignedIn(path, request);
  if (response.ok) return response;
  let body = await readBody(response);
  // Nothing has happened yet here either: whoever has shown again who they are may.
  if (response.status === 403 && isUnproven(body) && (await regainProof())) {
    response = await send(path, request);
    if (response.ok) return response;
    body = await readBody(response);
  }
  throw refusalOf(response, body);
}

async function sendSignedIn(path: string, request: ApiRequest): Promise<Response> {
  const response = await send(path, request);
  // 401 means that the login is gone, never that something is not permitted (contract §1.1): nothing has happened yet.
  if (response.status === 401 && !request.signingIn && (await regainSession())) return send(path, request);
  return response;
}

function refusalOf({ status, headers }: Response, body: unknown): ApiError {
  const error = new ApiError(
    status,
    toIssues(body),
    headers.get('x-request-id') ?? undefined,
    headers.get('x-gatehouse-decision') ?? undefined,
  );
  leaveOtherProject(error);
  return error;
}

async function send(path: string, request: ApiRequest): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: 'application/fhir+json',
    'X-Medplum': 'extended',
    ...(!request.signingIn && ofPageProject()),
    ...request.headers,
  };
  if (request.body !== undefined) headers['Content-Type'] = request.contentType ?? 'application/json';
  if (request.file && request.contentType) headers['Content-Type'] = request.contentType;
  if (request.ifMatch) headers['If-Match'] = `W/"${request.ifMatch}"`;
  try {
    return await fetch(path, {
      method: request.method ?? 'GET',
      credentials: 'same-origin',
      cache: 'no-store',
      headers,
      body: request.file ?? (request.body === undefined ? undefined : JSON.stringify(request.body)),
      signal: request.signal,
    });
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ApiError(0, []);
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!text || !response.headers.get('content-type')?.includes('json')) return text || undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
