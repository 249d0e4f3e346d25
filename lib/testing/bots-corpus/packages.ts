import type { CorpusBot } from './corpus-bot.ts';

/** Programs that bring packages, as one bundle made by their own tools: `isBundled` has esbuild put in what is not ours. */
export const PACKAGES: CorpusBot[] = [
  {
    name: 'jose, for a token of a backend service (private_key_jwt)',
    code: `
      import { decodeJwt, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
      export async function handler() {
        const { privateKey, publicKey } = await generateKeyPair('ES384');
        const token = await new SignJWT({ scope: 'system/*.rs' }).setProtectedHeader({ alg: 'ES384', kid: 'k' }).setIssuer('me').setExpirationTime('5m').sign(privateKey);
        const { payload } = await jwtVerify(token, publicKey);
        return [payload.iss, decodeJwt(token).scope, (await exportJWK(publicKey)).crv];
      }`,
    isBundled: true,
    answer: ['me', 'system/*.rs', 'P-384'],
  },
  {
    name: 'fast-xml-parser, for a document of another system',
    code: `
      import { XMLParser } from 'fast-xml-parser';
      export async function handler(medplum, event) {
        const parsed = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@' }).parse(event.input);
        const { given, family } = parsed.ClinicalDocument.patient.name;
        return (await medplum.createResource({ resourceType: 'Patient', name: [{ given: [given], family }], identifier: [{ value: parsed.ClinicalDocument.patient['@id'] }] })).identifier[0].value;
      }`,
    isBundled: true,
    contentType: 'text/plain',
    input:
      '<ClinicalDocument><patient id="p9"><name><given>Ada</given><family>Lovelace</family></name></patient></ClinicalDocument>',
    answer: 'p9',
  },
  {
    name: 'zod, for a body that is checked',
    code: `
      import { z } from 'zod';
      const Order = z.object({ sku: z.string().min(3), count: z.number().int().positive() });
      export async function handler(medplum, event) {
        const read = Order.safeParse(event.input);
        return read.success ? read.data : { field: read.error.issues[0].path.join('.') };
      }`,
    isBundled: true,
    contentType: 'application/json',
    input: { sku: 'abc', count: 0 },
    answer: { field: 'count' },
  },
  {
    name: 'fast-json-patch, for what has changed',
    code: `
      import { compare } from 'fast-json-patch';
      export async function handler(medplum, event) {
        const before = await medplum.readReference(event.input);
        const ops = compare(before, { ...before, gender: 'female' });
        return [ops[0].path, (await medplum.patchResource('Patient', before.id, ops)).gender];
      }`,
    given: [{ resourceType: 'Patient' }],
    isBundled: true,
    input: { reference: '{{0}}' },
    answer: ['/gender', 'female'],
  },
];
