import { ClientStorage, MedplumClient, MemoryStorage } from '@medplum/core';

export type PeerProject = {
  projectId: string;
  email: string;
  password: string;
  /** Signed in as the person who registered. */
  owner: MedplumClient;
  /** Of a client that administers the project. */
  clientId: string;
  clientSecret: string;
};

export function makeClient(baseUrl: string): MedplumClient {
  return new MedplumClient({ baseUrl: `${baseUrl}/`, storage: new ClientStorage(new MemoryStorage()), cacheTime: 0 });
}

/** As in a browser: there the client makes PKCE challenges with S256, elsewhere it falls back to `plain`. */
Object.assign(globalThis, { window: globalThis, location: new URL('https://app.example.com/') });

let count = 0;

/** A project that was made with nothing but the peer's client: account, project, code with PKCE, client, promotion. */
export async function makePeerProject(baseUrl: string): Promise<PeerProject> {
  count += 1;
  const [email, password] = [`owner-${count}@peer.example`, 'a-long-road-to-the-gate'];
  const owner = makeClient(baseUrl);
  const { login } = await owner.startNewUser({
    firstName: 'Olga',
    lastName: 'Owner',
    email,
    password,
    projectId: 'new',
    recaptchaToken: '',
  });
  const { code } = await owner.startNewProject({ login, projectName: `Peer ${count}` });
  await owner.processCode(code ?? '');
  const projectId = owner.getProject()?.id ?? '';
  const client = await owner.post(`admin/projects/${projectId}/client`, { name: 'Peer client' });
  const found = await owner.get(`${owner.fhirUrl('ProjectMembership')}?profile=ClientApplication/${client.id}`);
  const path = `admin/projects/${projectId}/members/${found.entry[0].resource.id}`;
  await owner.patch(path, [{ op: 'replace', path: '/admin', value: true }]);
  return { projectId, email, password, owner, clientId: client.id, clientSecret: client.secret };
}
