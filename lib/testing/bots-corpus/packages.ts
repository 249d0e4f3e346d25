import type { CorpusBot } from './corpus-bot.ts';

/** Bots that bring packages, or are several files. */
export const PACKAGES: CorpusBot[] = [
  {
    name: 'a token is signed and checked by jose',
    code: `
      import { decodeJwt, jwtVerify, SignJWT } from 'jose';
      export async function handler() {
        const key = new TextEncoder().encode('a secret of thirty-two characters');
        const token = await new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().setExpirationTime('5m').sign(key);
        const { payload } = await jwtVerify(token, key);
        return [payload.sub, decodeJwt(token).exp - decodeJwt(token).iat];
      }`,
    packages: ['jose'],
    answer: ['ann', 300],
  },
  {
    name: 'a token with a wrong key is refused by jose, in its own words',
    code: `
      import * as jose from 'jose';
      export async function handler() {
        const sign = (text) => new jose.SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(text));
        try { await jose.jwtVerify(await sign('a'.repeat(32)), new TextEncoder().encode('b'.repeat(32))); } catch (error) { return error.code; }
      }`,
    packages: ['jose'],
    answer: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
  },
  {
    name: 'XML of another is read by fast-xml-parser',
    code: `
      import { XMLParser } from 'fast-xml-parser';
      export async function handler() {
        const text = await (await fetch('{{server}}/xml')).text();
        return new XMLParser().parse(text).r.id;
      }`,
    packages: ['fast-xml-parser', 'strnum', 'anynum'],
    answer: [7, 8],
  },
  {
    name: 'XML is written by fast-xml-parser',
    code: `
      const { XMLBuilder, XMLValidator } = require('fast-xml-parser');
      exports.handler = async (medplum, { input }) => {
        const text = new XMLBuilder({ ignoreAttributes: false }).build({ patient: { '@_id': '1', name: input.name[0].family } });
        return [XMLValidator.validate(text), text];
      };`,
    packages: ['fast-xml-parser', 'strnum', 'anynum'],
    input: { resourceType: 'Patient', name: [{ family: 'Lovelace & Co' }] },
    answer: [true, '<patient id="1"><name>Lovelace &amp; Co</name></patient>'],
  },
  {
    name: 'axios, brought along, calls by fetch',
    code: `
      import axios from 'axios';
      export async function handler() {
        const api = axios.create({ baseURL: '{{server}}', headers: { 'x-lab': 'a' } });
        const down = await api.get('/down').catch((error) => error);
        const none = await axios.get('http://nobody.invalid/').catch((error) => error);
        const { data: sent } = await api.post('/made', { a: 1 }, { params: { q: 'é' } });
        const { data: stream } = await api.get('/xml', { responseType: 'stream' });
        return [
          [sent.method, sent.query, sent.body, sent.headers['x-lab']],
          [axios.isAxiosError(down), down.response.status, down.response.data],
          [none.code, none.cause instanceof Error],
          stream instanceof ReadableStream && (await new Response(stream).text()).length,
        ];
      }`,
    packages: ['axios'],
    answer: [['POST', 'q=%C3%A9', '{"a":1}', 'a'], [true, 503, 'busy'], ['ERR_NETWORK', true], 27],
  },
  {
    name: 'several files, with what they share',
    code: `
      import { BotEvent, MedplumClient } from '@medplum/core';
      import { toName } from './lib/names';
      import systems from './data/systems.json';
      export const handler = async (medplum: MedplumClient, event: BotEvent) => [toName(event.input), systems.mrn];`,
    files: {
      'lib/names.ts':
        "import { formatHumanName } from '@medplum/core';\nimport type { Patient } from '@medplum/fhirtypes';\nexport const toName = (patient: Patient): string => formatHumanName(patient.name![0]);",
      'data/systems.json': '{ "mrn": "urn:mrn" }',
    },
    input: { resourceType: 'Patient', name: [{ given: ['Ada'], family: 'Lovelace' }] },
    answer: ['Ada Lovelace', 'urn:mrn'],
  },
];
