import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFastLane } from '#lib/http/server/fast-lane.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let server: Server;
let admin: Caller;

beforeAll(async () => {
  const listener = await makeFastLane(join(import.meta.dirname, '../..'), (_, outgoing) => outgoing.end('page'));
  server = createServer(listener).listen(0);
  admin = (await makeFhirProject()).admin;
});
afterAll(() => server.close());

/** The request line as it is: `fetch` would tidy it up. */
function send(method: string, target: string, body = ''): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('end', () => resolve({ status: Number(text.split(' ')[1]), text }));
    const length = Buffer.byteLength(body);
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${admin.authorization}\r\nContent-Type: application/fhir+json\r\nContent-Length: ${length}\r\n\r\n${body}`,
    );
  });
}

test.each([
  ['GET', '/fhir/R4/metadata', 200, 'CapabilityStatement'],
  ['GET', '/fhir/R4/Patient/', 200, 'searchset'],
  ['GET', '/fhir/R4/ProjectMembership?profile-type%3Anot=ClientApplication', 200, 'searchset'],
  ['GET', '/fhir/R4/Patient?identifier=urn:a|b', 200, 'identifier=urn%3Aa%7Cb'],
  ['GET', '/fhir/R4/Patient?identifier=urn:a%7Cb', 200, 'identifier=urn%3Aa%7Cb'],
  ['GET', '/fhir/R4/Patient?name=a+b', 200, 'name=a+b'],
  ['GET', '/fhir/R4/Patient?_format=application/fhir+json', 200, 'searchset'],
  ['GET', '/fhir/R4/Patient/%zz', 404, 'not-found'],
  ['GET', '/fhir/R4/Patient/a/b/c/d/e', 404, 'OperationOutcome'],
  ['GET', '/fhir/nonsense', 404, 'OperationOutcome'],
  ['DELETE', '/fhir/R4/metadata', 405, 'OperationOutcome'],
  ['PURGE', '/fhir/R4/Patient', 405, 'OperationOutcome'],
  ['DELETE', '/fhir/R4', 405, 'OperationOutcome'],
  ['POST', '/fhir/R4', 400, 'OperationOutcome'],
])('%s %s over the wire answers %i', async (method, target, status, part) => {
  const answer = await send(method, target);
  expect(answer.text).toContain(part);
  expect(answer.status).toBe(status);
});

test('an operation is reached with and without an escaped dollar', async () => {
  for (const name of ['$validate', '%24validate']) {
    const answer = await send('POST', `/fhir/R4/Patient/${name}`, '{"resourceType":"Patient"}');
    expect([answer.status, answer.text.includes('All OK')]).toEqual([200, true]);
  }
});
