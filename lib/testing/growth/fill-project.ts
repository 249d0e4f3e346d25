import { eq } from 'drizzle-orm';
import { newId, newSecret } from '#lib/base/ids.ts';
import { breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import { accessRefusal } from '#lib/infra/db/schema/access-refusal.ts';
import { accessRequest } from '#lib/infra/db/schema/access-request.ts';
import { accountChange } from '#lib/infra/db/schema/account-change.ts';
import { apiKey } from '#lib/infra/db/schema/api-key.ts';
import { botRun, botRunning, botSample, botVersion } from '#lib/infra/db/schema/bots.ts';
import { recordErasure } from '#lib/infra/db/schema/fhir/record-erasure.ts';
import { hl7Feed, hl7Message } from '#lib/infra/db/schema/hl7.ts';
import { knownDevice } from '#lib/infra/db/schema/known-device.ts';
import { login, oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { bulkJob } from '#lib/infra/db/schema/operations.ts';
import { passkey } from '#lib/infra/db/schema/passkey.ts';
import { scimGroup } from '#lib/infra/db/schema/scim.ts';
import { callApi } from '../call-api.ts';
import { makeClient } from '../people.ts';
import { tellStanding } from '../set-up/check-standing.ts';
import { db } from '../set-up/own-db.ts';
import { signIn, type World } from '../world.ts';

/** Makes one of everything that a path can name, and returns it by the name of the path's parameter. */
export async function fillProject(world: World): Promise<Record<string, string>> {
  const { projectId } = world;
  const invited = await world.invite();
  const bot = await world.call('POST', '/bot', { body: { name: 'Theirs' } });
  const [link] = await db().select().from(oneTimeLink).where(eq(oneTimeLink.membershipId, invited.id));
  const [runId, jobId] = [newId(), newId()];
  const fingerprint = '0123456789abcdef';
  const botId = String(bot.body.id);
  const run = { projectId, id: runId, botId, trigger: 'api', status: 'ok', durationMs: 1, requestId: 'x' } as const;
  await db()
    .insert(botRun)
    .values({ ...run, startedAt: new Date(), fingerprint });
  const runningId = newId();
  const since = { startedAt: new Date(), endsBy: new Date(Date.now() + 3_600_000) };
  await db()
    .insert(botRunning)
    .values({
      projectId,
      id: runningId,
      botId,
      version: 1,
      trigger: 'api',
      requester: 'Bot/x',
      requestId: 'x',
      ...since,
    });
  const sampleId = newId();
  await db()
    .insert(botSample)
    .values({ projectId, botId, id: sampleId, name: 'A sample', contentType: 'text/plain', input: '', expects: '{}' });
  const version = { projectId, botId, number: 1, filename: 'index.ts', source: '', bundle: '' };
  await db().insert(botVersion).values(version).onConflictDoNothing();
  const [feedId, messageId] = [newId(), newId()];
  const port = { port: null, certificate: feedId, tls: true, addresses: [] };
  await db()
    .insert(hl7Feed)
    .values({ id: feedId, projectId, name: 'Theirs', botId, ...port, answer: 'stored', active: false });
  const message = { projectId, id: messageId, feedId, seq: 1, controlId: '1', type: 'ADT^A01', fingerprint: '1' };
  await db()
    .insert(hl7Message)
    .values({ ...message, state: 'done', receivedAt: new Date(), size: 1, text: 'x', patients: [] });
  const by = { actorProjectId: projectId, actorMembershipId: world.owner.membershipId, actor: 'Practitioner/x' };
  const asked = { requestId: 'x', remoteAddress: '', finishedAt: new Date() };
  await db()
    .insert(bulkJob)
    .values({ projectId, id: jobId, kind: 'resend', state: 'done', ...by, ...asked });
  await world.call('PUT', '/secrets/theirs', { body: { valueString: 'x' } });
  const client = await makeClient(projectId);
  const secret = await world.call('POST', `/clients/${client.id}/secrets`, { body: { name: 'Theirs' } });
  const directory = await world.call('POST', '/scim', { body: { name: 'Theirs' } });
  await world.call('POST', '/domains', { body: { domain: 'theirs.example' } });
  const registration = await world.call('POST', '/registrationtokens', { body: { name: 'Theirs' } });
  const keyId = newId();
  const whose = { projectId, membershipId: invited.id, userRef: invited.user.reference };
  const kept = { name: 'Theirs', secretHash: 'x', hint: 'x', scope: 'user/*.rs', expiresAt: new Date() };
  await db()
    .insert(apiKey)
    .values({ ...whose, ...kept, id: keyId });
  const groupId = newId();
  const group = { projectId, id: groupId, connectionId: directory.body.id, displayName: 'Theirs' };
  await db().insert(scimGroup).values(group);
  await signIn(projectId, invited.id, invited.user.reference);
  const [session] = await db().select().from(login).where(eq(login.membershipId, invited.id));
  const passkeyId = newId();
  const key = { credentialId: newSecret(), publicKey: Buffer.from('x'), counter: 0, transports: [], backedUp: false };
  const userId = invited.user.reference.slice('User/'.length);
  await db()
    .insert(passkey)
    .values({ id: passkeyId, userId, userHandle: newSecret(), name: 'Theirs', ...key });
  await tellStanding(projectId);
  const deviceId = newId();
  const seen = { userAgent: '', remoteAddress: '' };
  await db()
    .insert(knownDevice)
    .values({ id: deviceId, userId, tokenHash: newSecret(), ...seen });
  const changeId = newId();
  const waits = { scope: projectId, projectId, askedBy: `User/${userId}`, detail: { email: 'x@example.com' } };
  const [dueAt, stopHash] = [new Date(Date.now() + 86_400_000), newSecret()];
  await db()
    .insert(accountChange)
    .values({ id: changeId, kind: 'address', userId, ...waits, stopHash, dueAt, expiresAt: dueAt });
  const patient = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } });
  const [erasureId, patientId] = [newId(), String(patient.body.id)];
  const counts = { total: 1, erased: {}, kept: {}, versions: 0 };
  const whom = { patientId: newId(), reason: 'x', askedBy: 'x', requestId: 'x', remoteAddress: '' };
  await db()
    .insert(recordErasure)
    .values({
      ...{ ...whom, projectId, id: erasureId, state: 'done', counts },
      progress: { stage: 'binaries', after: [0, ''], pass: 1, found: 0, binaries: [] },
    });
  const dueAt7 = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const review = await world.call('POST', '/access-reviews', {
    body: { name: 'Theirs', dueAt: dueAt7, reviewers: [world.owner.membershipId] },
  });
  const requestId = newId();
  const wanted = { type: 'Patient', interaction: 'read', reason: 'x', profileRef: invited.profile.reference };
  await db()
    .insert(accessRequest)
    .values({ ...wanted, projectId, id: requestId, membershipId: invited.id, userRef: invited.user.reference });
  const grantId = newId();
  const glass = { policy: 'AccessPolicy/x', reason: 'x', endsAt: new Date(), profileRef: invited.profile.reference };
  await db()
    .insert(breakGlass)
    .values({ ...glass, projectId, id: grantId, membershipId: invited.id, userRef: invited.user.reference });
  const bulk = await callApi(world.owner.bearer, 'GET', '/fhir/R4/$export?_type=Patient');
  const exportId = bulk.headers.get('content-location')!.split('/').at(-2)!;
  const input = { type: 'Patient', url: 'https://example.com/x' };
  const body = { inputFormat: 'ndjson', input: [input] };
  const coming = await callApi(world.owner.bearer, 'POST', '/fhir/R4/$import', { body });
  const importId = coming.headers.get('content-location')!.split('/').at(-2)!;
  const policy = { resourceType: 'AccessPolicy', name: 'Theirs', resource: [{ resourceType: 'Patient' }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const decisionId = newId();
  const refused = { profile: invited.profile.reference, scope: '', requestId: 'x', type: 'Patient', text: 'Forbidden' };
  await db()
    .insert(accessRefusal)
    .values({ ...refused, projectId, id: decisionId, membershipId: invited.id, at: new Date(), interaction: 'read' });
  const [type = '', id = ''] = invited.profile.reference.split('/');
  return {
    projectId,
    membershipId: invited.id,
    clientId: client.id,
    botId,
    connectionId: directory.body.id,
    tokenId: directory.body.tokenId,
    groupId,
    secretId: secret.body.id,
    registrationTokenId: registration.body.id,
    keyId,
    linkId: link!.id,
    loginId: session!.id,
    runId,
    runningId,
    feedId,
    messageId,
    sampleId,
    decisionId,
    fingerprint,
    policyId: String(made.body.id),
    jobId,
    passkeyId,
    deviceId,
    changeId,
    erasureId,
    exportId,
    piece: '0',
    importId,
    file: '0',
    patientId,
    reviewId: review.body.id,
    requestId,
    grantId,
    domain: 'theirs.example',
    name: 'theirs',
    number: '1',
    type,
    id,
  };
}
