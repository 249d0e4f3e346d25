import { expect } from 'vitest';
import { TEXT_SEARCH } from '#lib/protocol/text-search.ts';
import { callApi } from '../call-api.ts';
import { type FhirProject, makeFhirProject } from './fhir-project.ts';
import { indexed } from './own-params.ts';

const on = { setting: [{ name: TEXT_SEARCH, valueBoolean: true }] };

/** A project whose resources are found by their words. */
export async function makeWordedProject(): Promise<FhirProject> {
  const project = await makeFhirProject(false, on);
  await indexed(project.projectId);
  return project;
}

/** As an administrator does it in the settings. */
export async function setTextSearch({ projectId, admin }: FhirProject, valueBoolean: boolean): Promise<void> {
  const body = [{ name: TEXT_SEARCH, valueBoolean }];
  const answer = await callApi(admin.authorization, 'POST', `/admin/projects/${projectId}/settings`, { body });
  expect(answer.status, answer.text).toBe(200);
}
