import { projectsIn } from '#lib/infra/db/sweep.ts';
import { signHead } from './sign-head.ts';

/** Every project's chain as it stands, once an hour: what is deleted after that is missed. */
export async function signHeads(stopped?: AbortSignal): Promise<void> {
  for await (const projectId of projectsIn('audit_chain', stopped)) await signHead(projectId);
}
