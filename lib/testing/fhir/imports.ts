import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { createImportCrew } from '#lib/domain/bulk-import/run-imports.ts';
import { type Answer, callApi } from '../call-api.ts';
import { changeSettings } from '../change-settings.ts';
import { callFhir, FHIR_BASE } from './call-fhir.ts';
import type { Caller, FhirProject } from './fhir-project.ts';

export type ImportManifest = {
  transactionTime: string;
  request: string;
  output: { type: string; inputUrl: string; count: number }[];
  error: { type: string; inputUrl: string; count: number; url: string }[];
};

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine, from which the program may fetch until the test is over; its address. */
export async function serveFiles(serve: Serve): Promise<string> {
  onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: true }));
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** As serveFiles, of texts by their paths; 404 for others. */
export function serveTexts(texts: Record<string, string | Buffer>): Promise<string> {
  return serveFiles((request, response) => {
    const text = texts[request.url ?? ''];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
}

export const toLines = (resources: readonly unknown[]) => resources.map((each) => `${JSON.stringify(each)}\n`).join('');

type Input = { type: string; url: string; etag?: string };

export function importOf(...inputs: Input[]): object {
  const input = inputs.map((each) => ({
    name: 'input',
    part: Object.entries(each).map(([name, valueString]) => ({ name, valueString })),
  }));
  const format = { name: 'inputFormat', valueCode: 'application/fhir+ndjson' };
  return { resourceType: 'Parameters', parameter: [format, ...input] };
}

/** The path of its status. */
export async function begin(caller: Caller, ...inputs: Input[]): Promise<string> {
  return statusPathOf(await callFhir(caller, 'POST', '$import', { body: importOf(...inputs) }));
}

export function statusPathOf(answer: Answer): string {
  expect(answer.status, answer.text).toBe(202);
  const location = answer.headers.get('content-location')!;
  expect(location).toMatch(/^http:\/\/localhost:3999\/fhir\/R4\/import\/[\w-]{36}\/status$/);
  return location.slice(FHIR_BASE.length + 1);
}

/** What one process does at one look. */
export async function work(): Promise<void> {
  const crew = createImportCrew();
  await crew.look();
  await crew.idle();
}

/** Until it is done; what its manifest says. */
export async function finish(caller: Caller, path: string): Promise<ImportManifest> {
  for (;;) {
    await work();
    const { status, body, headers, text } = await callFhir(caller, 'GET', path);
    if (status === 200) return body;
    expect(status, text).toBe(202);
    expect([headers.get('x-progress'), headers.get('retry-after')]).toEqual([expect.stringMatching(/./), '1']);
  }
}

/** What is told of refused lines: id and text of each. */
export async function refusalsOf(caller: Caller, manifest: ImportManifest, at = 0): Promise<string[]> {
  const file = await callFhir(caller, 'GET', manifest.error[at]!.url.slice(FHIR_BASE.length + 1));
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/fhir+ndjson']);
  const outcomes = file.text.split('\n').filter(Boolean);
  return outcomes.map((line) => {
    const { resourceType, id, issue } = JSON.parse(line);
    expect(resourceType).toBe('OperationOutcome');
    return `${id ?? ''} ${issue[0].code} ${issue[0].expression?.[0] ?? ''} ${issue[0].details.text}`;
  });
}

/** The project lets its callers choose ids. */
export async function letChooseIds({ projectId, admin }: FhirProject): Promise<void> {
  const body = [{ name: 'updateCreate', valueBoolean: true }];
  const set = await callApi(admin.authorization, 'POST', `/admin/projects/${projectId}/settings`, { body });
  expect(set.status, set.text).toBe(200);
}
