import { callApi } from './call-api.ts';
import type { World } from './world.ts';

/** A bot of the world's project with this code, deployed; its id. */
export async function deployedBot(world: World, code: string, fields: Record<string, unknown> = {}): Promise<string> {
  const made = await world.call('POST', '/bot', { body: { name: 'Test bot', ...fields } });
  if (made.status !== 201) throw new Error(made.text);
  const body = { code, filename: code.includes('exports.') ? 'index.js' : 'index.ts' };
  const deployed = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, { body });
  if (deployed.status !== 200) throw new Error(deployed.text);
  return made.body.id;
}
