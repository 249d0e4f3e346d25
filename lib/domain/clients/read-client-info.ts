import { notFound } from '#lib/base/errors.ts';
import type { ClientInfo } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { findClient } from './find-client.ts';
import { liveClient } from './live-client.ts';

/** Every sign-in page asks once, and behind one address may be a whole hospital. */
const PAGES_A_NETWORK = 600;

/** How a client wants its sign-in page to look (contract §1.5), for anybody who knows its id. */
export async function readClientInfo(ctx: Ctx, clientId: string): Promise<ClientInfo> {
  await throttle(`client-info-from:${networkOf(ctx.remoteAddress)}`, PAGES_A_NETWORK);
  const client = (await liveClient(clientId)) ?? (await findClient(clientId));
  if (!client) throw notFound();
  const { welcomeString, logo } = client.resource.signInForm ?? {};
  return { ...(welcomeString && { welcomeString }), ...(logo && { logo }) };
}
