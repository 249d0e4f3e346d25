import { expect, vi } from 'vitest';
import { indexParams } from '#lib/domain/store/own-params/index-params.ts';
import { workOf } from '#lib/domain/store/own-params/settle-params.ts';
import { readProgress } from '#lib/infra/db/upkeep.ts';
import type { Answer } from '../call-api.ts';
import { callFhir } from './call-fhir.ts';
import type { Caller } from './fhir-project.ts';

export const EXTENSION = 'http://example.org/ext';

/** Of a SearchParameter that needs nothing else to be understood. */
export function searchParameter(base: string, code: string, type: string, expression: string, more: object = {}) {
  return {
    resourceType: 'SearchParameter',
    url: `http://example.org/SearchParameter/${base}-${code}`,
    name: code.replaceAll('-', ''),
    status: 'active',
    description: code,
    code,
    base: [base],
    type,
    expression,
    ...more,
  };
}

export async function addParam(caller: Caller, body: object): Promise<string> {
  const made: Answer = await callFhir(caller, 'POST', 'SearchParameter', { body });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** The background has done its work for this project. */
export async function indexed(projectId: string, timeout = 120_000): Promise<void> {
  await vi.waitFor(
    async () => {
      await indexParams();
      expect(await readProgress(workOf(projectId))).toBeUndefined();
    },
    { timeout, interval: 20 },
  );
}

/** The ids that a search finds. */
export async function found(caller: Caller, path: string): Promise<string[]> {
  const answer = await callFhir(caller, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id);
}
