import { AppError } from '#lib/base/errors.ts';
import type { Grant } from '#lib/protocol/clients/bounds.ts';
import type { Ctx } from '../access/context.ts';
import { grantAuthorizationCode } from '../oauth/grant-authorization-code.ts';
import { grantClientCredentials } from '../oauth/grant-client-credentials.ts';
import { grantRefreshToken } from '../oauth/grant-refresh-token.ts';
import { oauthError } from '../oauth/oauth-error.ts';
import type { TokenResponse } from '../oauth/sign-tokens.ts';
import type { TokenRequest } from '../oauth/token-request.ts';
import { exchangeToken } from './exchange-token.ts';
import { redeemDeviceCode } from './redeem-device-code.ts';

const BY_NAME: Record<Grant, (ctx: Ctx, request: TokenRequest) => Promise<TokenResponse>> = {
  client_credentials: grantClientCredentials,
  authorization_code: grantAuthorizationCode,
  refresh_token: grantRefreshToken,
  'urn:ietf:params:oauth:grant-type:device_code': redeemDeviceCode,
  'urn:ietf:params:oauth:grant-type:token-exchange': exchangeToken,
};

/** Throws an AppError whose `oauth` name goes into the body. */
export async function issueToken(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const name = request.form.get('grant_type');
  if (!name) throw oauthError('invalid_request', 'Missing grant_type');
  const grant = isGrant(name) ? BY_NAME[name] : undefined;
  if (!grant) throw oauthError('unsupported_grant_type', 'Unsupported grant_type');
  try {
    return await grant(ctx, request);
  } catch (error) {
    // A membership or project that is no longer active is no 401 here: the caller has no token yet.
    if (isNotActive(error)) throw oauthError('access_denied', error.message);
    throw error;
  }
}

function isGrant(name: string): name is Grant {
  return Object.hasOwn(BY_NAME, name);
}

function isNotActive(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unauthorized' && error.options.oauth === undefined;
}
