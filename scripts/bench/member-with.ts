import { request } from './request.ts';

export type BenchMember = {
  /** Of its membership. */
  id: string;
  /** Resolves to a token of its own. */
  signIn(): Promise<string>;
};

/** A new client with this access. */
export async function memberWith(
  base: string,
  projectId: string,
  token: string,
  access: object[],
): Promise<BenchMember> {
  const admin = `admin/projects/${projectId}`;
  const client = await request(base, 'POST', `${admin}/client`, { body: { name: 'Bench' }, token });
  const path = `fhir/R4/ProjectMembership?profile=ClientApplication/${client.id}`;
  const { id } = (await request(base, 'GET', path, { token })).entry[0].resource;
  if (access.length > 0) {
    const body = [{ op: 'add', path: '/access', value: access }];
    await request(base, 'PATCH', `${admin}/members/${id}`, { body, token });
  }
  const form = `grant_type=client_credentials&client_id=${client.id}&client_secret=${client.secret}`;
  return { id, signIn: async () => (await request(base, 'POST', 'oauth2/token', { form })).access_token };
}
