import { and, eq, gt, sql } from 'drizzle-orm';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { deviceRequest } from '#lib/infra/db/schema/grants.ts';
import type { Ctx } from '../access/context.ts';
import { grantLogin } from '../oauth/grant-login.ts';
import { identifyClient } from '../oauth/identify-client.ts';
import { clientRefused, oauthError } from '../oauth/oauth-error.ts';
import { requireAllowedGrant } from '../oauth/require-allowed.ts';
import type { TokenResponse } from '../oauth/sign-tokens.ts';
import type { TokenRequest } from '../oauth/token-request.ts';
import { findLogin } from '../sessions/find-login.ts';
import { createLogin } from '../sign-in/create-login.ts';

/** Who asks too soon waits so much longer from then on (RFC 8628 §3.5), within reason. */
const SLOWER_SECONDS = 5;
const SLOWEST_SECONDS = 60;

/** RFC 8628 §3.4 and 3.5: what came of it, told to the client that began it. The tokens are told once. */
export async function redeemDeviceCode(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const code = request.form.get('device_code');
  if (!code) throw oauthError('invalid_request', 'Missing device_code');
  const { app, isProven } = await identifyClient(ctx, request);
  requireAllowedGrant(app.resource, 'urn:ietf:params:oauth:grant-type:device_code');
  const deviceHash = hashSecret(code);
  const found = await notePoll(deviceHash, app.id);
  if (!found) throw oauthError('invalid_grant', 'Invalid device_code');
  if (found.needs_proof && !isProven) throw clientRefused(request, 'Missing client_secret or client_assertion');
  if (found.is_over) throw oauthError('expired_token', 'The code has expired; begin again');
  if (found.state === 'denied') throw oauthError('access_denied', 'The person said no');
  if (found.state === 'waiting') {
    if (found.too_soon) throw oauthError('slow_down', 'Ask less often');
    throw oauthError('authorization_pending', 'The person has not answered yet');
  }
  const taken = await take(deviceHash);
  if (!taken?.userId || !taken.membershipId) throw oauthError('invalid_grant', 'Invalid device_code');
  const { projectId, userId, membershipId, scope, needsProof } = taken;
  const fields = { clientId: app.id, scope, needsProof };
  const options = {
    authTime: taken.authTime ?? undefined,
    authMethod: taken.authMethod ?? undefined,
    factorAt: taken.factorAt,
    action: 'login.authorize' as const,
  };
  const made = await createLogin(ctx, userId, fields, { chosen: { projectId, membershipId }, ...options });
  const row = await findLogin({ projectId, id: made.login });
  if (!row) throw oauthError('invalid_grant', 'Invalid device_code');
  return grantLogin(ctx, row, { app, isProven });
}

type Polled = { state: 'waiting' | 'allowed' | 'denied'; needs_proof: boolean; is_over: boolean; too_soon: boolean };

/** Another client's is none that it knows of, and its question does not count. */
async function notePoll(deviceHash: string, clientId: string): Promise<Polled | undefined> {
  const [found] = await db().execute<Polled>(sql`
    update device_request d set polled_at = now(),
      poll_seconds = case when o.too_soon then least(d.poll_seconds + ${SLOWER_SECONDS}, ${SLOWEST_SECONDS}) else d.poll_seconds end
    from (select device_hash, coalesce(polled_at > now() - make_interval(secs => poll_seconds), false) as too_soon
      from device_request where device_hash = ${deviceHash} and client_id::text = ${clientId} for update) o
    where d.device_hash = o.device_hash
    returning d.state, d.needs_proof, d.expires_at < now() as is_over, o.too_soon`);
  return found;
}

async function take(deviceHash: string) {
  const [row] = await db()
    .delete(deviceRequest)
    .where(
      and(
        eq(deviceRequest.deviceHash, deviceHash),
        eq(deviceRequest.state, 'allowed'),
        gt(deviceRequest.expiresAt, new Date()),
      ),
    )
    .returning();
  return row;
}
