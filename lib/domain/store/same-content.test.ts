import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { db, runSql } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { parseJson, storedDigits } from '#lib/protocol/json/json.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const decimal = fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?$/);
const EDGES = ['-0', '-0.00', '0e9', '0.0e-3', '1e21', '1e-7', '100e-2', '100e-5', '-1.50E+3', '1.5e1', '-0.0e5'];

test('digits are known in the form in which they are stored', async () => {
  const given = [...EDGES, ...fc.sample(decimal, 1000)];
  const rows = await runSql<{ kept: string }>(
    db(),
    sql`select (v::jsonb)::text as kept from unnest(${toTextArray(given)}::text[]) with ordinality as t(v, n) order by n`,
  );
  expect(given.map((text) => [text, storedDigits(parseJson(text))])).toEqual(
    given.map((text, at) => [text, rows[at]?.kept]),
  );
});

test.each(['1e2', '-0', '1.50E-3', '1e21'])(
  'a resource that is sent again with %s keeps its version',
  async (value) => {
    const { admin } = await makeFhirProject();
    const body = (id = '') =>
      `{"resourceType":"Observation"${id},"status":"final","code":{"text":"Weight"},"valueQuantity":{"value":${value}}}`;
    const made = await callFhir(admin, 'POST', 'Observation', { body: body() });
    const again = { body: body(`,"id":"${made.body.id}"`) };
    const { status, headers } = await callFhir(admin, 'PUT', `Observation/${made.body.id}`, again);
    expect([status, headers.get('etag')]).toEqual([200, 'W/"1"']);
  },
);
