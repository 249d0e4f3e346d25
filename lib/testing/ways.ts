import { callApi } from './call-api.ts';
import { makeClient } from './people.ts';

/** POST /admin/projects/{id}/settings as a program that is an administrator: `signInWays.Admin` and the like, as texts. */
export async function setProject(projectId: string, settings: Record<string, string>) {
  const { basic } = await makeClient(projectId, {}, { admin: true });
  const body = Object.entries(settings).map(([name, valueString]) => ({ name, valueString }));
  return callApi(basic, 'POST', `/admin/projects/${projectId}/settings`, { body });
}
