import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeClient, makePeerProject, type PeerProject } from './peer-project.ts';
import { type PeerApi, startApi } from './start-api.ts';

/** The peer's client, unmodified, with which a portal signs its patients up (contract §1.5 and §1.7). */
let api: PeerApi;
let clinic: PeerProject;

beforeAll(async () => {
  api = await startApi();
  clinic = await makePeerProject(api.baseUrl);
}, 60_000);
afterAll(() => api?.stop());

it('startNewUser and startNewPatient: a patient of the project, signed in', async () => {
  const settings = [{ name: 'patientRegistration', valueBoolean: true }];
  await clinic.owner.post(`admin/projects/${clinic.projectId}/settings`, settings);
  const portal = makeClient(api.baseUrl);
  const { projectId } = clinic;
  const [email, password] = ['pia@peer.example', 'a-short-path-to-the-gate'];
  const { login } = await portal.startNewUser({
    ...{ firstName: 'Pia', lastName: 'Reed', email, password, projectId },
    recaptchaToken: '',
  });
  const { code } = await portal.startNewPatient({ login, projectId });
  const profile = await portal.processCode(code ?? '');
  expect(profile).toMatchObject({ resourceType: 'Patient', name: [{ given: ['Pia'], family: 'Reed' }] });
  expect(portal.getProject()?.id).toBe(projectId);

  const again = makeClient(api.baseUrl);
  const { code: next } = await again.startLogin({ email, password, projectId });
  expect((await again.processCode(next ?? '')).id).toBe(profile.id);
  expect((await again.searchResources('Patient')).map(({ id }) => id)).toEqual([profile.id]);
});
