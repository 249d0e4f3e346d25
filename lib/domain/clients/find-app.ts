import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { type Client, findClient } from './find-client.ts';
import { liveClient } from './live-client.ts';

/** What a person signs in to. `client` is not there for a program that is built in: it is of no project, and has no secret. */
export type App = { id: string; resource: ClientApplication; client: Client | undefined };

/** The peer's command line, which comes without PKCE and without `state` (contract §1.7). */
const BUILT_IN: Record<string, ClientApplication> = {
  'medplum-cli': {
    resourceType: 'ClientApplication',
    name: 'Medplum CLI',
    description: 'The command line on your own computer',
    redirectUris: ['http://localhost:9615'],
    pkceOptional: true,
  },
};

/** By its id; undefined when unknown, deleted or switched off. */
export async function findApp(clientId: string): Promise<App | undefined> {
  const id = clientId.toLowerCase();
  if (Object.hasOwn(BUILT_IN, id)) return { id, resource: BUILT_IN[id]!, client: undefined };
  // One that may act for itself, too, is known without a query.
  const client = (await liveClient(id)) ?? (await findClient(id));
  return client && { id: client.id, resource: client.resource, client };
}
