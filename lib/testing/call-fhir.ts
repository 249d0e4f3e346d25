import { expect } from 'vitest';
import type { RouteHandler } from '#lib/http/api-route.ts';
import { addRoute, makeRouteTree, matchRoute } from '#lib/http/route-tree.ts';
import * as unknown from '../../app/fhir/[...path]/route.ts';
import * as smart from '../../app/fhir/R4/.well-known/smart-configuration/route.ts';
import * as version from '../../app/fhir/R4/[type]/[id]/[op]/[vid]/route.ts';
import * as below from '../../app/fhir/R4/[type]/[id]/[op]/route.ts';
import * as instance from '../../app/fhir/R4/[type]/[id]/route.ts';
import * as type from '../../app/fhir/R4/[type]/route.ts';
import * as metadata from '../../app/fhir/R4/metadata/route.ts';
import * as base from '../../app/fhir/R4/route.ts';
import type { Caller } from './fhir-project.ts';

export const FHIR_BASE = 'http://localhost:3999/fhir/R4';

const ROUTES = {
  'fhir/[...path]': unknown,
  'fhir/R4': base,
  'fhir/R4/metadata': metadata,
  'fhir/R4/.well-known/smart-configuration': smart,
  'fhir/R4/[type]': type,
  'fhir/R4/[type]/[id]': instance,
  'fhir/R4/[type]/[id]/[op]': below,
  'fhir/R4/[type]/[id]/[op]/[vid]': version,
};

const tree = makeRouteTree<Record<string, RouteHandler>>();
for (const [path, handlers] of Object.entries(ROUTES)) addRoute(tree, path.split('/'), handlers);

export type Call = { body?: unknown; headers?: Record<string, string> };
// biome-ignore lint/suspicious/noExplicitAny: tests read answers by path
export type Answer = { status: number; headers: Headers; text: string; body: any };

/** A request through the door as the fast lane makes it. `path` is below /fhir/R4, as it would stand in the request line. */
export async function callFhir(
  caller: Caller | undefined,
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer> {
  const { body, headers = {} } = call;
  const url = `${FHIR_BASE}${path === '' ? '' : `/${path}`}`;
  const found = matchRoute(tree, new URL(url).pathname);
  if (!found) throw new Error(`No route for ${path}`);
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const request = new Request(url, {
    method,
    headers: {
      ...(caller ? { authorization: caller.authorization } : {}),
      ...(isRaw ? {} : { 'content-type': 'application/fhir+json' }),
      ...headers,
    },
    body: isRaw ? (body as BodyInit | undefined) : JSON.stringify(body),
  });
  const response = await found.target[method]!(request, { params: Promise.resolve(found.params) });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** The status, and an OperationOutcome whose first issue has this code and, when given, names this place. */
export function expectIssue(answer: Answer, status: number, code: string, expression?: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
  expect(answer.body.resourceType).toBe('OperationOutcome');
  expect(answer.body.issue[0]).toMatchObject({ severity: 'error', code });
  expect(answer.body.issue[0].details.text).toBeTruthy();
  if (expression) expect(answer.body.issue[0].expression).toEqual([expression]);
}
