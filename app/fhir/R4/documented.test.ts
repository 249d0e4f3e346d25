import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/fhir.md'), 'utf8');

type Example = { status: number; method: string; path: string; headers: Record<string, string>; body: string };

/** Of a block each line that begins with a method is a request; below it stand its headers and then its body. */
function examples(): Example[] {
  return [...PAGE.matchAll(/^```http(?: (\d+))?\n(.*?)^```/gms)].flatMap(([, status = '200', block = '']) =>
    block.split(/^(?=(?:GET|POST) \/)/m).map((text): Example => {
      const [first = '', ...rest] = text.trim().split('\n');
      const [method = '', path = ''] = first.split(' ');
      const bodyAt = rest.findIndex((line) => !/^[A-Z][\w-]*: /.test(line));
      const lines = bodyAt < 0 ? rest : rest.slice(0, bodyAt);
      const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2) as [string, string]));
      return { status: Number(status), method, path, headers, body: bodyAt < 0 ? '' : rest.slice(bodyAt).join('\n') };
    }),
  );
}

/** Searches that show how something is found find it. */
const FOUND: Record<string, number> = {
  '/fhir/R4/Observation?patient:Patient.family=lovelace&value-quantity=gt70||kg&date=ge2026&_sort=-date': 1,
  '/fhir/R4/Observation?value-quantity=gt70000|http://unitsofmeasure.org|g': 1,
  '/fhir/R4/Patient?_has:Observation:patient:date=ge2026&_revinclude=Observation:patient&_total=accurate': 2,
  '/fhir/R4/?_type=Patient,Observation&_lastUpdated=ge2026-01-01': 2,
  '/fhir/R4/Patient/{patient}/Observation?status=final': 1,
  '/fhir/R4/Patient/{patient}/$everything?_count=100&start=2026-01-01': 2,
  '/fhir/R4/Patient/{patient}/_history': 1,
};

test('every example of docs/fhir.md answers as it says', async () => {
  const { projectId, admin } = await makeFhirProject();
  const asked: Record<string, number> = {};
  let patient = '';
  for (const { status, method, path, headers, body } of examples()) {
    const call = { headers, ...(body && { body: JSON.parse(body.replace('{patient}', patient)) }) };
    const where = path.replace('{patient}', patient).replace('{project}', projectId);
    const answer: Answer = await callApi(admin.authorization, method, where, call);
    expect([path, answer.status], answer.text).toEqual([path, status]);
    patient ||= answer.body.entry?.[0].resource.id;
    asked[path] = answer.body.entry?.length;
  }
  expect(Object.keys(asked).length).toBeGreaterThan(8);
  expect(asked).toMatchObject(FOUND);
});
