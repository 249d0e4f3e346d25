import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { offerRoutesToBots } from '#lib/http/bots/api/offer-routes-to-bots.ts';
import type { RouteHandler } from '#lib/http/door/api-route.ts';
import { addRoute, makeRouteTree, matchRoute } from '#lib/http/server/route-tree.ts';
import { API_ROOTS } from '#lib/protocol/api-roots.ts';

const ORIGIN = 'http://localhost:3999';
const APP = join(import.meta.dirname, '../../app');

type Handlers = Record<string, RouteHandler>;
const tree = makeRouteTree<Handlers>();
for (const root of API_ROOTS) {
  const folder = join(APP, root);
  for (const entry of existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []) {
    if (entry.name !== 'route.ts') continue;
    const handlers = (await import(pathToFileURL(join(entry.parentPath, entry.name)).href)) as Handlers;
    addRoute(tree, entry.parentPath.slice(APP.length + 1).split('/'), handlers);
  }
}

offerRoutesToBots((path) => {
  const found = matchRoute(tree, path);
  return found && { ...found, handlers: found.target };
});

/** An object goes out as JSON, URLSearchParams as a form, text as it is, bytes without a type; a stream as it comes. */
export type Call = { body?: unknown; stream?: ReadableStream; headers?: Record<string, string> };
// biome-ignore lint/suspicious/noExplicitAny: tests read answers by path
export type Answer = { status: number; headers: Headers; bytes: Buffer; text: string; body: any };

/** A request through the door as the fast lane makes it. `path` as in the request line; `authorization` as in the header. */
export async function callApi(
  authorization: string | undefined,
  method: string,
  path: string,
  { body, stream, headers = {} }: Call = {},
): Promise<Answer> {
  const url = `${ORIGIN}${path}`;
  const found = matchRoute(tree, new URL(url).pathname);
  if (!found) throw new Error(`No route for ${path}`);
  const isForm = body instanceof URLSearchParams;
  const isBytes = body instanceof Uint8Array;
  const isRaw = body === undefined || typeof body === 'string' || isBytes || isForm;
  const request = new Request(url, {
    method,
    headers: {
      'x-gatehouse-remote': addressOfFile(),
      ...(authorization ? { authorization } : {}),
      ...(body === undefined || isForm || isBytes ? {} : { 'content-type': 'application/fhir+json' }),
      ...headers,
    },
    body: stream ?? (isRaw ? (body as BodyInit | undefined) : JSON.stringify(body)),
    ...(stream && { duplex: 'half' as const }),
  });
  const response = await found.target[method]!(request, { params: Promise.resolve(found.params) });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  const isPlain = !response.headers.get('content-encoding');
  const isJson = isPlain && /\bjson/.test(response.headers.get('content-type') ?? '') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** No test file meets what another has been refused for, in a process that they share. */
function addressOfFile(): string {
  const hash = createHash('sha256')
    .update(expect.getState().testPath ?? '')
    .digest();
  return `10.250.${hash[0]}.${hash[1]}`;
}

/** The status, that the body is an OperationOutcome whose id the peer's clients understand, and what its issues name. */
export function expectOutcome(answer: Answer, status: number, ...expressions: string[]): void {
  expect({ status: answer.status, type: answer.body?.resourceType, text: answer.text }).toMatchObject({
    status,
    type: 'OperationOutcome',
  });
  for (const issue of answer.body.issue) expect(issue.details?.text ?? '').not.toBe('');
  const named = answer.body.issue.flatMap((issue: { expression?: string[] }) => issue.expression ?? []);
  if (expressions.length > 0) expect(named.sort()).toEqual(expressions.sort());
}
