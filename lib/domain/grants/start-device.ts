import { env } from '#lib/base/env.ts';
import { newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { deviceRequest } from '#lib/infra/db/schema/grants.ts';
import { SCOPE } from '#lib/protocol/requests/auth.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { identifyClient } from '../oauth/identify-client.ts';
import { oauthError } from '../oauth/oauth-error.ts';
import { requireAllowedGrant, scopeFor } from '../oauth/require-allowed.ts';
import type { TokenRequest } from '../oauth/token-request.ts';
import { hashUserCode, makeUserCode } from './user-code.ts';

const SECONDS = 10 * 60;
const POLL_SECONDS = 5;
/** A house full of screens that are all turned on in the morning. */
const STARTS_A_NETWORK = 300;

/** RFC 8628 §3.2. */
export type DeviceStart = {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
};

/** RFC 8628 §3.1: a sign-in on a device without a browser begins. Throws what RFC 6749 §5.2 calls it, and 429 to a network with too many. */
export async function startDevice(ctx: Ctx, request: TokenRequest): Promise<DeviceStart> {
  const { app, isProven } = await identifyClient(ctx, request);
  if (!app.client) throw oauthError('invalid_client', 'This client signs people in by the browser');
  requireAllowedGrant(app.resource, 'urn:ietf:params:oauth:grant-type:device_code');
  const scope = scopeFor(app.resource, request.form.get('scope'), 'openid');
  if (!SCOPE.test(scope)) throw oauthError('invalid_scope', 'scope must be a space-separated list of names');
  await throttle(`device-from:${networkOf(ctx.remoteAddress)}`, STARTS_A_NETWORK);
  const { projectId, id: clientId } = app.client;
  const [deviceCode, userCode] = [newSecret(), makeUserCode()];
  await write(ctx, async (w) => {
    await w.tx.insert(deviceRequest).values({
      deviceHash: hashSecret(deviceCode),
      userCodeHash: hashUserCode(userCode),
      ...{ projectId, clientId, scope, needsProof: isProven, pollSeconds: POLL_SECONDS },
      expiresAt: new Date(Date.now() + SECONDS * 1000),
    });
    w.audit({ projectId, action: 'client.device', target: `ClientApplication/${clientId}` });
  });
  const page = `${env().BASE_URL}/device`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?${new URLSearchParams({ user_code: userCode })}`,
    expires_in: SECONDS,
    interval: POLL_SECONDS,
  };
}
