import { expect } from 'vitest';
import { type Answer, type Call, callApi } from '../call-api.ts';
import { callFhir, FHIR_BASE } from './call-fhir.ts';
import type { Caller } from './fhir-project.ts';

export type Manifest = {
  transactionTime: string;
  request: string;
  requiresAccessToken: boolean;
  output: { type: string; url: string; count?: number }[];
  error: unknown[];
};
export type Line = { resourceType: string; id: string } & Record<string, unknown>;

export const PREFER = { prefer: 'respond-async' };
export const observationOf = (id: string) => ({
  status: 'final',
  code: { text: 'x' },
  subject: { reference: `Patient/${id}` },
});

/** A new resource; its id. */
export async function make(caller: Caller, resourceType: string, fields: object): Promise<string> {
  const answer = await callFhir(caller, 'POST', resourceType, { body: { resourceType, ...fields } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

export const start = (caller: Caller, path: string, call: Call = {}, method = 'GET') =>
  callFhir(caller, method, path, { headers: PREFER, ...call });

export function statusOf(answer: Answer): string {
  expect(answer.status, answer.text).toBe(202);
  const location = answer.headers.get('content-location')!;
  expect(location).toMatch(/^http:\/\/localhost:3999\/fhir\/R4\/export\/[\w-]{36}\/status$/);
  return location.slice(FHIR_BASE.length + 1);
}

export async function complete(caller: Caller, answer: Answer): Promise<Manifest> {
  const path = statusOf(answer);
  for (;;) {
    const { status, body, headers, text } = await callFhir(caller, 'GET', path);
    if (status === 200) return body;
    expect(status, text).toBe(202);
    expect(headers.get('x-progress')).toMatch(/./);
    expect(headers.get('retry-after')).toBe('1');
  }
}

export const fetchFile = (url: string, method = 'GET', headers: Record<string, string> = {}) =>
  callApi(undefined, method, url.slice('http://localhost:3999'.length), { headers });

export async function linesOf(manifest: Manifest): Promise<Line[]> {
  const all: Line[] = [];
  for (const { type, url, count } of manifest.output) {
    const file = await fetchFile(url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/fhir+ndjson']);
    const lines = parseLines(file.text);
    expect(lines.every((line) => line.resourceType === type)).toBe(true);
    if (count !== undefined) expect(lines.length).toBe(count);
    all.push(...lines);
  }
  return all;
}

export async function exported(caller: Caller, path: string, call?: Call, method?: string): Promise<Line[]> {
  return linesOf(await complete(caller, await start(caller, path, call, method)));
}

export const idsOf = (lines: Line[], type?: string) =>
  lines
    .filter(({ resourceType }) => !type || resourceType === type)
    .map(({ id }) => id)
    .sort();

export function groupOf(references: string[]): object {
  return { type: 'person', actual: true, member: references.map((reference) => ({ entity: { reference } })) };
}

export function parseLines(text: string): Line[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));
}
