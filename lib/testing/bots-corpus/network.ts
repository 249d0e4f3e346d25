import type { CorpusBot } from './corpus-bot.ts';

const ADA = { resourceType: 'Patient', name: [{ given: ['Ada'], family: 'Lovelace' }], birthDate: '1990-12-10' };
const URL = { url: '{{server}}' };

/** Other systems, asked by fetch and by what packages make of it. `{{server}}` echoes: method, path, headers, body. */
export const NETWORK: CorpusBot[] = [
  {
    name: 'a new patient is told to another system as JSON',
    code: `
      export async function handler(medplum, event) {
        const patient = await medplum.readReference(event.input.patient);
        const response = await fetch(event.input.url + 'patients', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + (event.secrets['TOKEN']?.valueString ?? 'none') },
          body: JSON.stringify({ name: patient.name[0].family }),
        });
        if (!response.ok) throw new Error('HTTP ' + response.status);
        const { method, path, body, headers } = await response.json();
        return [method, path, JSON.parse(body), headers['content-type'], headers.authorization];
      }`,
    given: [ADA],
    input: { patient: { reference: '{{0}}' }, ...URL },
    answer: ['POST', '/patients', { name: 'Lovelace' }, 'application/json', 'Bearer none'],
  },
  {
    name: 'what another system knows becomes observations',
    code: `
      export const handler = async (medplum, { input }) => {
        const { readings } = await (await fetch(new URL('readings?of=' + input.id, input.url))).json();
        const made = await Promise.all(readings.map(({ at, value }) => medplum.createResource({
          resourceType: 'Observation', status: 'final', subject: { reference: 'Patient/' + input.id }, effectiveDateTime: at,
          code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] }, valueQuantity: { value, unit: 'bpm' },
        })));
        return made.map((o) => o.valueQuantity.value);
      };`,
    given: [ADA],
    input: { id: '{{0.id}}', ...URL },
    answer: [61, 64],
  },
  {
    name: 'a form is sent as others want it, urlencoded, and a token comes back',
    code: `
      exports.handler = async (medplum, event) => {
        const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'a b' });
        const answer = await (await fetch(event.input.url + 'token', { method: 'POST', body })).json();
        return [answer.headers['content-type'], answer.body];
      };`,
    input: URL,
    answer: ['application/x-www-form-urlencoded;charset=UTF-8', 'grant_type=client_credentials&scope=a+b'],
  },
  {
    name: 'a fax goes out as a form with a file',
    code: `
      export async function handler(medplum, event) {
        const form = new FormData();
        form.append('to', '+15550100');
        form.append('file', new Blob(['%PDF-1.4'], { type: 'application/pdf' }), 'letter.pdf');
        const answer = await (await fetch(event.input.url + 'fax', { method: 'POST', body: form })).json();
        return [answer.headers['content-type'].split(';')[0], answer.body.includes('filename="letter.pdf"'), answer.body.includes('%PDF-1.4')];
      }`,
    input: URL,
    answer: ['multipart/form-data', true, true],
  },
  {
    name: 'a scanned letter is fetched and kept as a file',
    code: `
      import { createReference } from '@medplum/core';
      export async function handler(medplum, event) {
        const response = await fetch(event.input.url + 'letter.pdf');
        const data = new Uint8Array(await response.arrayBuffer());
        const media = await medplum.createMedia({ data, contentType: response.headers.get('content-type'), filename: 'letter.pdf', additionalFields: { subject: createReference(await medplum.readReference(event.input.patient)) } });
        return [media.content.contentType, data.length, String.fromCharCode(...data.subarray(0, 5))];
      }`,
    given: [ADA],
    input: { patient: { reference: '{{0}}' }, ...URL },
    answer: ['application/pdf', 9, '%PDF-'],
  },
  {
    name: 'node-fetch, imported as people import it',
    code: `
      import fetch, { Headers } from 'node-fetch';
      export async function handler(medplum, event) {
        const headers = new Headers({ Accept: 'application/json' });
        const response = await fetch(event.input.url + 'eligibility', { headers, method: 'GET' });
        return [response.status, (await response.json()).headers.accept];
      }`,
    input: URL,
    answer: [200, 'application/json'],
  },
  {
    name: 'node-fetch by require',
    code: `
      const fetch = require('node-fetch');
      exports.handler = async function (medplum, event) {
        const answer = await fetch(event.input.url + 'ping');
        return (await answer.json()).path;
      };`,
    input: URL,
    answer: '/ping',
  },
  {
    name: 'undici’s request',
    code: `
      import { request } from 'undici';
      export async function handler(medplum, event) {
        const { statusCode, headers, body } = await request(event.input.url + 'labs', { method: 'PUT', body: 'x' });
        return [statusCode, headers['content-type'], (await body.json()).method];
      }`,
    input: URL,
    answer: [200, 'application/json', 'PUT'],
  },
  {
    name: 'a text message by a service’s REST interface, basic authentication',
    code: `
      export async function handler(medplum, event) {
        const basic = Buffer.from('AC0:secret').toString('base64');
        const response = await fetch(event.input.url + '2010-04-01/Accounts/AC0/Messages.json', {
          method: 'POST', headers: { Authorization: 'Basic ' + basic },
          body: new URLSearchParams({ To: '+15550100', From: '+15550199', Body: 'Your visit is tomorrow' }),
        });
        const { headers, body } = await response.json();
        return [Buffer.from(headers.authorization.slice(6), 'base64').toString(), new URLSearchParams(body).get('Body')];
      }`,
    input: URL,
    answer: ['AC0:secret', 'Your visit is tomorrow'],
  },
  {
    name: 'tries again when the other system is busy',
    code: `
      export async function handler(medplum, event) {
        const seen = [];
        for (let attempt = 0; attempt < 3; attempt++) {
          const response = await fetch(event.input.url + 'busy/' + attempt);
          seen.push(response.status);
          if (response.ok) return seen;
          await new Promise((done) => setTimeout(done, 5));
        }
      }`,
    input: URL,
    answer: [503, 503, 200],
  },
  {
    name: 'gives up on who does not answer',
    code: `
      export async function handler(medplum, event) {
        try { await fetch(event.input.url + 'never', { signal: AbortSignal.timeout(50) }); }
        catch (error) { return error.name; }
      }`,
    input: URL,
    answer: 'TimeoutError',
  },
  {
    name: 'many are asked at once, and one that fails spoils none',
    code: `
      export async function handler(medplum, event) {
        const paths = ['a', 'busy/0', 'b'];
        const all = await Promise.allSettled(paths.map(async (path) => {
          const response = await fetch(event.input.url + path);
          if (!response.ok) throw new Error(path + ' ' + response.status);
          return (await response.json()).path;
        }));
        return all.map((one) => one.value ?? one.reason.message);
      }`,
    input: URL,
    answer: ['/a', 'busy/0 503', '/b'],
  },
  {
    name: 'a list that comes in lines is read as it comes',
    code: `
      export async function handler(medplum, event) {
        const response = await fetch(event.input.url + 'lines.ndjson');
        const decoder = new TextDecoder();
        let rest = '', count = 0;
        for await (const chunk of response.body) {
          rest += decoder.decode(chunk, { stream: true });
          const lines = rest.split('\\n');
          rest = lines.pop();
          for (const line of lines) count += JSON.parse(line).n;
        }
        return count;
      }`,
    input: URL,
    answer: 6,
  },
  {
    name: 'is sent elsewhere, and says so',
    code: `
      export async function handler(medplum, event) {
        const followed = await fetch(event.input.url + 'moved');
        const told = await fetch(event.input.url + 'moved', { redirect: 'manual' });
        return [followed.redirected, (await followed.json()).path, told.type === 'opaqueredirect' || told.status === 302];
      }`,
    input: URL,
    answer: [true, '/here', true],
  },
  {
    name: 'a machine of the inside is not asked',
    code: `
      export async function handler() {
        try { await fetch('https://169.254.169.254/latest/meta-data'); } catch (error) { return [error.name, error.message]; }
      }`,
    isOpen: false,
    answer: ['TypeError', 'fetch failed'],
  },
];
