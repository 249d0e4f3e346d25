import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { clientTag, membershipTag } from '../access/cache-tags.ts';
import { type Client, findClient } from './find-client.ts';

export type LiveClient = Client & { membershipId: string };

const clients = createLiveCache<LiveClient>(10_000);

/** A client that may act, as it stands now, without a query when nothing has changed. What is none is asked for each time. */
export async function liveClient(clientId: string): Promise<LiveClient | undefined> {
  try {
    return await clients.get(clientId, async () => {
      const client = await findClient(clientId);
      if (!client?.membershipId) throw new NoClient();
      const { membershipId } = client;
      return { value: { ...client, membershipId }, tags: [clientTag(client.id), membershipTag(membershipId)] };
    });
  } catch (error) {
    if (error instanceof NoClient) return undefined;
    throw error;
  }
}

/** Passes the cache, which keeps values only. */
class NoClient extends Error {}
