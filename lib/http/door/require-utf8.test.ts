import { expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const WRONG = ['%ff', 'M%fcller', '%c3', '%c0%af', '%ed%a0%80', '%f8%88%80%80%80'];
const RIGHT = ['M%C3%BCller', '100%', '%zz', '%', 'a%2', '%E2%82%AC+x', '%f0%9f%98%80'];

test('a query or a form whose escapes are no UTF-8 is refused, and not asked as something else', async () => {
  const { admin } = await makeFhirProject();
  const asForm = (value: string) => ({
    body: `name=${value}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  for (const value of WRONG) {
    const query = await callFhir(admin, 'GET', `Patient?name=${value}`);
    expect([value, query.status, query.body.issue[0].details.text]).toEqual([value, 400, 'The query is not UTF-8']);
    const form = await callFhir(admin, 'POST', 'Patient/_search', asForm(value));
    expect([value, form.status, form.body.issue[0].details.text]).toEqual([value, 400, 'The form is not UTF-8']);
  }
  for (const value of RIGHT) {
    expect([value, (await callFhir(admin, 'GET', `Patient?name=${value}`)).status]).toEqual([value, 200]);
    expect([value, (await callFhir(admin, 'POST', 'Patient/_search', asForm(value))).status]).toEqual([value, 200]);
  }
});
