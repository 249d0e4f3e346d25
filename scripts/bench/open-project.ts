import { request } from './request.ts';

export type OpenProject = {
  projectId: string;
  /** Of a client that is an administrator: what it asks for a token with. */
  credentials: string;
  /** An access token of it. */
  signIn(): Promise<string>;
  /** Of the person who made the project. */
  owner: { email: string; token: string };
};

export const PASSWORD = 'measured-twice-cut-once';

/** A project, as a person makes it: account, project, code, token; and a client that may do everything in it. */
export async function openProject(base: string, email = 'owner@bench.example'): Promise<OpenProject> {
  const { projectId, token } = await register(base, email);
  const admin = `admin/projects/${projectId}`;
  const client = await request(base, 'POST', `${admin}/client`, { body: { name: 'Bench' }, token });
  const found = await request(base, 'GET', `fhir/R4/ProjectMembership?profile=ClientApplication/${client.id}`, {
    token,
  });
  const patch = [{ op: 'replace', path: '/admin', value: true }];
  await request(base, 'PATCH', `${admin}/members/${found.entry[0].resource.id}`, { body: patch, token });
  const credentials = `grant_type=client_credentials&client_id=${client.id}&client_secret=${client.secret}`;
  const signIn = async () => (await request(base, 'POST', 'oauth2/token', { form: credentials })).access_token;
  return { projectId, credentials, signIn, owner: { email, token } };
}

/** As a person does it: account, project, code, token. */
export async function register(base: string, email: string): Promise<{ token: string; projectId: string }> {
  const person = {
    firstName: 'Bench',
    lastName: 'Owner',
    email,
    password: PASSWORD,
  };
  const { login } = await request(base, 'POST', 'auth/newuser', {
    body: { ...person, projectId: 'new', codeChallenge: 'p'.repeat(43), codeChallengeMethod: 'plain' },
  });
  const { code } = await request(base, 'POST', 'auth/newproject', { body: { login, projectName: 'Bench' } });
  const form = `grant_type=authorization_code&code=${code}&code_verifier=${'p'.repeat(43)}`;
  const { access_token: token, project } = await request(base, 'POST', 'oauth2/token', { form });
  return { token, projectId: project.reference.slice('Project/'.length) };
}
