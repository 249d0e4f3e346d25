import { MedplumClient as Client, type MedplumClient, tryGetProfile } from '@medplum/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeKeyPair, signAssertion, startKeyServer } from '../servers/key-server.ts';
import { makeClient, makePeerProject, type PeerProject } from './peer-project.ts';
import { type PeerApi, startApi } from './start-api.ts';

/** The calls of the peer's client that the other files do not come by: each that asks a server is made, or stands in every-call.test.ts with the reason. */
let api: PeerApi;
let project: PeerProject;
let client: MedplumClient;

beforeAll(async () => {
  api = await startApi({ FETCH_PRIVATE_ADDRESSES: 'true' });
  project = await makePeerProject(api.baseUrl);
  client = makeClient(api.baseUrl);
  await client.startClientLogin(project.clientId, project.clientSecret);
}, 60_000);
afterAll(() => api?.stop());

describe('definitions', () => {
  const url = 'http://peer.example/ValueSet/colours';

  it('valueSetExpand and readCanonical, over one type and several', async () => {
    const include = [{ system: 'urn:colours', concept: [{ code: 'red' }, { code: 'blue' }] }];
    await client.createResource({ resourceType: 'ValueSet', status: 'active', url, compose: { include } });
    const { expansion } = await client.valueSetExpand({ url, filter: 're' });
    expect(expansion?.contains?.map(({ code }: { code?: string }) => code)).toEqual(['red']);
    expect((await client.readCanonical('ValueSet', url))?.url).toBe(url);
    expect((await client.readCanonical(['ConceptMap', 'ValueSet'], url))?.resourceType).toBe('ValueSet');
    expect(await client.readCanonical('ConceptMap', url)).toBeUndefined();
  });

  it('requestProfileSchema brings a profile, and with expandProfile those that its elements name', async () => {
    const [whole, part] = ['whole', 'part'].map((name) => `http://peer.example/StructureDefinition/${name}`) as [
      string,
      string,
    ];
    const define = (its: string, type: string, element: object[]) =>
      client.createResource({
        resourceType: 'StructureDefinition',
        status: 'active',
        abstract: false,
        url: its,
        name: its.split('/').at(-1)!,
        kind: type === 'Patient' ? 'resource' : 'complex-type',
        type,
        derivation: 'constraint',
        ...(type === 'Extension' && { context: [{ type: 'element', expression: 'Patient' }] }),
        baseDefinition: `http://hl7.org/fhir/StructureDefinition/${type}`,
        snapshot: { element: element as never },
      });
    const tree = (type: string, more: object[] = []) => [
      { id: type, path: type, definition: 'x', min: 0, max: '*', base: { path: type, min: 0, max: '*' } },
      ...more,
    ];
    await define(part, 'Extension', tree('Extension'));
    const base = { path: 'DomainResource.extension', min: 0, max: '*' };
    const type = [{ code: 'Extension', profile: [part] }];
    const id = 'Patient.extension';
    await define(whole, 'Patient', tree('Patient', [{ id, path: id, definition: 'x', min: 0, max: '*', base, type }]));
    await client.requestProfileSchema(part);
    expect(tryGetProfile(part)?.url).toBe(part);
    await client.requestProfileSchema(whole, { expandProfile: true });
    expect(tryGetProfile(whole)?.url).toBe(whole);
    await expect(client.requestProfileSchema(`${whole}/none`, { expandProfile: true })).rejects.toThrow('no profile');
  });
});

describe('files', () => {
  const file = { data: 'colours', contentType: 'text/plain', filename: 'colours.txt' };

  it('createAttachment, createMedia, uploadMedia, createDocumentReference and downloadResponse', async () => {
    const attachment = await client.createAttachment(file);
    expect(await (await client.downloadResponse(attachment.url!)).text()).toBe('colours');
    const media = await client.createMedia(file);
    expect([media.status, await (await client.download(media.content.url!)).text()]).toEqual(['completed', 'colours']);
    const uploaded = await client.uploadMedia('red', 'text/plain', 'red.txt', { note: [{ text: 'x' }] });
    expect([uploaded.note?.[0]?.text, uploaded.content.title]).toEqual(['x', 'red.txt']);
    const document = await client.createDocumentReference({ ...file, additionalFields: { description: 'd' } });
    const [content] = document.content!;
    expect(await (await client.download(content!.attachment.url!)).text()).toBe('colours');
  });

  it('createPdf keeps what a maker of them makes', async () => {
    const { baseUrl } = api;
    const making = new Client({ baseUrl: `${baseUrl}/`, createPdf: async () => Buffer.from('%PDF-1.4') as never });
    await making.startClientLogin(project.clientId, project.clientSecret);
    const binary = await making.createPdf({ docDefinition: { content: ['x'] }, filename: 'x.pdf' });
    expect(await (await making.download(binary.url!)).text()).toBe('%PDF-1.4');
  });
});

describe('other calls', () => {
  it('createComment and put', async () => {
    const patient = await client.createResource({ resourceType: 'Patient', active: true });
    const comment = await client.createComment(patient, 'Well');
    expect([comment.payload?.[0]?.contentString, comment.subject?.reference]).toEqual([
      'Well',
      `Patient/${patient.id}`,
    ]);
    const url = client.fhirUrl('Patient', patient.id!);
    expect(await client.put(url, { ...patient, active: false })).toMatchObject({ active: false });
  });

  it('startAsyncRequest polls until it is done', async () => {
    const url = `${client.fhirUrl('$export')}?_type=Basic`;
    const options = { pollStatusOnAccepted: true, pollStatusPeriod: 20 };
    expect(await client.startAsyncRequest(url, options)).toMatchObject({ output: [] });
  });

  it('sendEmail by an administrator', async () => {
    const mail = { to: 'ada@peer.example', subject: 'Hello', text: 'There' };
    expect(await client.sendEmail(mail)).toMatchObject({ resourceType: 'OperationOutcome' });
  });

  it('startJwtAssertionLogin with a key of the client', async () => {
    const [server, pair] = await Promise.all([startKeyServer(), makeKeyPair('ES384')]);
    try {
      server.keys = [pair.publicJwk];
      const { owner, clientId } = project;
      await owner.patchResource('ClientApplication', clientId, [
        { op: 'add', path: '/jwksUri', value: server.jwksUri },
      ]);
      const keyed = makeClient(api.baseUrl);
      const aud = `${api.baseUrl}/oauth2/token`;
      const profile = await keyed.startJwtAssertionLogin(await signAssertion(pair, clientId, { aud }));
      expect(profile).toMatchObject({ resourceType: 'ClientApplication', id: clientId });
    } finally {
      await server.stop();
    }
  });

  it('what is not offered is refused by an outcome, and not by silence', async () => {
    await expect(client.startJwtBearerLogin(project.clientId, 'x', 'openid')).rejects.toThrow();
    await expect(client.exchangeExternalAccessToken('x', project.clientId)).rejects.toThrow();
    await expect(client.pushToAgent({ reference: 'Agent/x' }, 'x', 'x')).rejects.toThrow();
    await expect(client.readPatientSummary('x')).rejects.toThrow();
    await expect(client.graphql('{ PatientList { id } }')).rejects.toThrow();
    await expect(client.getCdsServices()).rejects.toThrow();
    await client.startClientLogin(project.clientId, project.clientSecret);
  });
});
