import { type CorpusBot, part } from './corpus-bot.ts';

const ADT = [
  'MSH|^~\\&|LAB|HOSP|GH|GH|20240102030405||ADT^A01|42|P|2.5',
  'PID|1||mrn-9||Lovelace^Ada||19901210|F',
].join('\r');

/** Files, PDFs, mail, other bots, HL7, codes, and what is refused. */
export const PROGRAMS: CorpusBot[] = [
  {
    name: 'a report becomes a PDF',
    code: `
      import { createReference } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const patient = await medplum.readReference(input);
        const binary = await medplum.createPdf({
          docDefinition: {
            content: [{ text: 'Report', style: 'head' }, { table: { body: [['Name', patient.name[0].family]] }, layout: 'noBorders' }],
            footer: (page, pages) => page + ' of ' + pages,
            styles: { head: { fontSize: 20, bold: true } },
          },
          filename: 'report.pdf',
        });
        const bytes = await (await medplum.download(medplum.fhirUrl('Binary', binary.id))).arrayBuffer();
        return [binary.contentType, String.fromCharCode(...new Uint8Array(bytes).subarray(0, 5)), bytes.byteLength > 1000];
      }`,
    given: [{ resourceType: 'Patient', name: [{ family: 'Lovelace' }] }],
    input: { reference: '{{0}}' },
    answer: ['application/pdf', '%PDF-', true],
  },
  {
    name: 'a PDF fetches no images',
    code: `exports.handler = async (medplum) => medplum.createPdf({ docDefinition: { content: [{ image: 'http://169.254.169.254/x' }] } });`,
    status: 400,
    answer: { issue: [{ details: { text: part('images are given as data') } }] },
  },
  {
    name: 'text, bytes and JSON as files, and down again',
    code: `
      import { ContentType } from '@medplum/core';
      export async function handler(medplum) {
        const text = await medplum.createBinary({ data: 'a,b', filename: 'a.csv', contentType: ContentType.CSV });
        const bytes = await medplum.createBinary({ data: new Uint8Array([0, 200, 255]), contentType: ContentType.OCTET_STREAM });
        const blob = await medplum.download('Binary/' + bytes.id);
        return [await (await medplum.download('Binary/' + text.id)).text(), [...new Uint8Array(await blob.arrayBuffer())]];
      }`,
    answer: ['a,b', [0, 200, 255]],
  },
  {
    name: 'a picture becomes Media, a letter a DocumentReference',
    code: `
      import { createReference } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const media = await medplum.createMedia({ data: new Uint8Array([1]), contentType: 'image/png', filename: 'x.png', additionalFields: { subject: input } });
        const letter = await medplum.createDocumentReference({ data: 'Dear', contentType: 'text/plain', filename: 'l.txt', additionalFields: { subject: input } });
        return [media.status, media.content.title, letter.content[0].attachment.title];
      }`,
    given: [{ resourceType: 'Patient' }],
    input: { reference: '{{0}}' },
    answer: ['completed', 'x.png', 'l.txt'],
  },
  {
    name: 'a comment is signed by the bot',
    code: `exports.handler = async (medplum, { input }) => {
        const comment = await medplum.createComment(await medplum.readReference(input), 'Seen');
        return [comment.payload[0].contentString, comment.subject.reference];
      };`,
    given: [{ resourceType: 'Patient' }],
    input: { reference: '{{0}}' },
    answer: ['Seen', '{{0}}'],
  },
  {
    name: 'sends a mail',
    code: `exports.handler = async (medplum) =>
      (await medplum.sendEmail({ to: 'ann@example.com', cc: [{ name: 'Ben', address: 'ben@example.com' }], subject: 'Hello', text: 'Your results are there.' })).id;`,
    answer: 'ok',
  },
  {
    name: 'sends a mail as nodemailer would: people with names, files of all kinds',
    code: `exports.handler = async (medplum) => {
        const file = await medplum.createBinary({ data: 'a,b', filename: 'a.csv', contentType: 'text/csv' });
        const sent = await medplum.sendEmail({
          to: 'Ann <ann@example.com>, "Cole, Cleo" <cleo@example.com>',
          replyTo: { name: 'The clinic', address: 'clinic@example.com' },
          subject: 'Hello',
          html: '<p>Your results are there.</p>',
          attachments: [
            { filename: 'a.csv', path: 'Binary/' + file.id },
            { filename: 'b.csv', path: file.url, contentType: 'text/csv' },
            { filename: 'c.txt', content: Buffer.from('c') },
            { filename: 'd.txt', content: new Uint8Array([100]) },
          ],
        });
        return sent.id;
      };`,
    answer: 'ok',
  },
  {
    name: 'a mail in the name of somebody else is refused, with what there is instead',
    code: `exports.handler = async (medplum) => medplum.sendEmail({ from: 'boss@example.com', to: 'ann@example.com', subject: 'Hello', text: 'x' });`,
    status: 400,
    answer: { issue: [{ details: { text: part('replyTo') } }] },
  },
  {
    name: 'a mail with what is not taken is refused by name',
    code: `exports.handler = async (medplum) => medplum.sendEmail({ to: 'ann@example.com', subject: 'Hello', text: 'x', list: {} });`,
    status: 400,
    answer: { issue: [{ details: { text: part('list') } }] },
  },
  {
    name: 'has a token of its own',
    code: `exports.handler = async (medplum) => medplum.getAccessToken().split('.').length;`,
    answer: 3,
  },
  {
    name: 'says who it is',
    code: `
      import { getReferenceString } from '@medplum/core';
      export async function handler(medplum, event) {
        const me = await medplum.get('auth/me');
        return [getReferenceString(medplum.getProfile()) === event.bot.reference, me.profile.resourceType, medplum.getProject().id];
      }`,
    answer: [true, 'Bot', '{{project}}'],
  },
  {
    name: 'a bot that runs itself is stopped in time',
    code: `
      import { OperationOutcomeError } from '@medplum/core';
      export async function handler(medplum, event) {
        const depth = event.input.depth ?? 0;
        try { return await medplum.executeBot(event.bot.reference.split('/')[1], { depth: depth + 1 }); }
        catch (error) { return [depth, error instanceof OperationOutcomeError, error.message]; }
      }`,
    contentType: 'application/json',
    answer: [4, true, 'Bots run each other 5 deep at most: this one would be one too many'],
  },
  {
    name: 'an administrator’s bot invites',
    code: `exports.handler = async (medplum) => {
        const made = await medplum.invite(medplum.getProject().id, { resourceType: 'Practitioner', firstName: 'Nia', lastName: 'New', email: 'nia-' + Date.now() + '@example.com', sendEmail: false });
        return made.resourceType;
      };`,
    admin: true,
    answer: 'ProjectMembership',
  },
  {
    name: 'any other bot does not invite',
    code: `exports.handler = async (medplum) => {
        try { await medplum.invite(medplum.getProject().id, { resourceType: 'Patient', firstName: 'Nia', lastName: 'New' }); } catch (error) { return error.outcome.id; }
      };`,
    answer: 'forbidden',
  },
  {
    name: 'HL7 is read, and acknowledged',
    code: `
      import { formatHl7DateTime, Hl7Message } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const pid = input.getSegment('PID');
        await medplum.createResourceIfNoneExist({
          resourceType: 'Patient', identifier: [{ system: 'urn:mrn', value: pid.getField(3).toString() }],
          name: [{ family: pid.getField(5).getComponent(1), given: [pid.getField(5).getComponent(2)] }],
        }, 'identifier=urn:mrn|' + pid.getField(3));
        return input instanceof Hl7Message ? input.buildAck() : undefined;
      }`,
    input: ADT,
    contentType: 'x-application/hl7-v2+er7',
    answer: 'MSA|AA|42',
  },
  {
    name: 'words for people: names, dates, addresses',
    code: `
      import { calculateAgeString, capitalize, formatAddress, formatDate, formatHumanName, formatQuantity, getCodeBySystem, getIdentifier, SNOMED } from '@medplum/core';
      export async function handler(medplum, { input }) {
        return [
          formatHumanName(input.name[0]), formatAddress(input.address[0]), getIdentifier(input, 'urn:mrn'), capitalize('ada'),
          getCodeBySystem({ coding: [{ system: SNOMED, code: '1' }] }, SNOMED), formatQuantity({ value: 3, unit: 'kg' }),
        ];
      }`,
    input: {
      resourceType: 'Patient',
      identifier: [{ system: 'urn:mrn', value: '9' }],
      name: [{ given: ['Ada'], family: 'Lovelace' }],
      address: [{ line: ['1 Main St'], city: 'London' }],
    },
    answer: ['Ada Lovelace', '1 Main St, London', '9', 'Ada', '1', '3 kg'],
  },
  {
    name: 'what is not ours is not reached by tricks of the path, and says so',
    code: `exports.handler = async (medplum) => {
        const tried = ['oauth2/token', 'admin/super/rebuild', 'scim/v2/Users', 'fhir/R4/../../metrics', 'fhir/R4/%2e%2e/%2e%2e/healthcheck', 'admin/projects/00000000-0000-4000-8000-000000000000/secrets', 'fhir/R4/..%2f..%2fmetrics'];
        const ids = [];
        for (const path of tried) await medplum.get(path).then(() => ids.push('open'), (error) => ids.push(error.outcome?.id ?? error.message));
        return ids;
      };`,
    answer: ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden', 'not-found'],
  },
  {
    name: 'nobody else’s name goes along: authorization, cookie, on behalf of',
    code: `exports.handler = async (medplum) => {
        const said = [];
        for (const name of ['Authorization', 'Cookie', 'X-Medplum-On-Behalf-Of', 'X-Gatehouse-Remote'])
          await medplum.get('fhir/R4/Patient', { headers: { [name]: 'x' } }).then(() => said.push('taken'), (error) => said.push(error.outcome.issue[0].details.text.split(' ')[0]));
        return said;
      };`,
    answer: ['authorization', 'cookie', 'x-medplum-on-behalf-of', 'x-gatehouse-remote'],
  },
];
