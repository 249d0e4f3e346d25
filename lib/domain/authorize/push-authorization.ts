import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { pushedRequest } from '#lib/infra/db/schema/grants.ts';
import type { Ctx } from '../access/context.ts';
import { writeOne } from '../audit/write.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { identifyClient } from '../oauth/identify-client.ts';
import { oauthError } from '../oauth/oauth-error.ts';
import type { TokenRequest } from '../oauth/token-request.ts';
import { readRequest, readTarget } from './authorize-request.ts';
import { toPushedRow } from './pushed-requests.ts';

/** RFC 9126 §2.2 wants it short: the app sends the browser here at once. */
const SECONDS = 90;
/** An address of ours holds more, but nobody asks for so much. */
const MOST_LENGTH = 16_384;
/** In 15 minutes: each is kept. */
const PUSHES_A_NETWORK = 600;
const PUSHES_A_CLIENT = 6000;
/** What proves the client is no part of what it asks. */
const PROOF = ['client_secret', 'client_assertion', 'client_assertion_type'];

/**
 * RFC 9126: keeps an authorization request, judged as it would be when a browser brings it, for 90 seconds and one use by the same client.
 * Throws what RFC 6749 §5.2 calls it, 413 for what is too long, 429 to a network or client with too many.
 */
export async function pushAuthorization(
  ctx: Ctx,
  request: TokenRequest,
): Promise<{ request_uri: string; expires_in: number }> {
  const { app, isProven } = await identifyClient(ctx, request);
  if (!app.client) throw oauthError('invalid_client', 'This client sends its requests by the browser');
  const { projectId, id: clientId } = app.client;
  if (isProven) await throttle(`pushed-by:${clientId}`, PUSHES_A_CLIENT);
  else await throttle(`pushed-from:${networkOf(ctx.remoteAddress)}`, PUSHES_A_NETWORK);
  const params = new URLSearchParams(request.form);
  if (params.has('request_uri')) throw oauthError('invalid_request', 'request_uri cannot be sent beforehand');
  for (const name of PROOF) params.delete(name);
  params.set('client_id', clientId);
  if (String(params).length > MOST_LENGTH) throw new AppError('content-too-large', 'The request is too long');
  readRequest(params, await readTarget(params));
  const { requestUri, row } = toPushedRow({ projectId, clientId, params, needsProof: isProven }, SECONDS);
  const inserted = db().insert(pushedRequest).values(row).toSQL();
  const entry = { projectId, action: 'client.push', target: `ClientApplication/${clientId}` } as const;
  await writeOne(ctx, { parts: `p as (${inserted.sql})`, params: inserted.params }, entry);
  return { request_uri: requestUri, expires_in: SECONDS };
}
