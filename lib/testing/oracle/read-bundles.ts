import { expect } from 'vitest';
import { callFhir, FHIR_BASE } from '../fhir/call-fhir.ts';
import type { Caller } from '../fhir/fhir-project.ts';

/** The ids that are found, and what comes along as `Type/id`. */
export type BundlePage = { matches: string[]; included: string[] };

type Bundle = {
  entry?: { resource: { resourceType: string; id: string }; search: { mode: string } }[];
  link: { relation: string; url: string }[];
};

/** Page after page of a search, as a client goes: by the link to the next. */
export async function readBundles(
  caller: Caller,
  type: string,
  params: [string, string][],
  said: string,
): Promise<BundlePage[]> {
  const pages: BundlePage[] = [];
  let path: string | undefined = `${type}?${new URLSearchParams(params)}`;
  while (path !== undefined) {
    const answer = await callFhir(caller, 'GET', path);
    expect(answer.status, `${said}: ${answer.text}`).toBe(200);
    const { entry = [], link } = answer.body as Bundle;
    const of = (mode: string) => entry.filter(({ search }) => search.mode === mode).map(({ resource }) => resource);
    pages.push({
      matches: of('match').map(({ id }) => id),
      included: of('include').map(({ resourceType, id }) => `${resourceType}/${id}`),
    });
    path = link.find(({ relation }) => relation === 'next')?.url.slice(FHIR_BASE.length + 1);
  }
  return pages;
}
