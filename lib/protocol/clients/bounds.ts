import type { ClientApplication } from '../fhir/client-types.ts';
import { isResourceScope, parseSmartScope, type SmartScope, splitScopes } from '../smart-scopes.ts';

/** What is exchanged for tokens, by the names that requests have for it (RFC 6749, 8628 §3.4, 8693 §2.1). */
export const GRANTS = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;
export type Grant = (typeof GRANTS)[number];

/** How a client shows who it is where it asks for tokens (RFC 7591 §2). */
export const PROOFS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

/** What holds for each request with a client’s tokens; each is undefined where the client does not limit it. */
export type ClientBounds = {
  /** Addresses and networks (CIDR). */
  addresses?: string[];
  /** Of which sites its pages are; `*` is any. */
  origins?: string[];
  /** More than these its tokens never say, and what none of them names they do not reach. */
  scopes?: string[];
};

type Bounded = Pick<ClientApplication, 'allowedAddress' | 'allowedOrigin' | 'allowedScope'>;

/** Undefined for a client that limits nothing. */
export function readClientBounds({ allowedAddress, allowedOrigin, allowedScope }: Bounded): ClientBounds | undefined {
  if (!allowedAddress?.length && !allowedOrigin?.length && !allowedScope?.length) return undefined;
  return {
    ...(allowedAddress?.length && { addresses: allowedAddress }),
    ...(allowedOrigin?.length && { origins: allowedOrigin }),
    ...(allowedScope?.length && { scopes: allowedScope }),
  };
}

/** Whether a list of the client’s allows this; one that is not given allows everything. */
export function allows(list: readonly string[] | undefined, item: string): boolean {
  return !list?.length || list.includes(item);
}

/** The scopes of a request that a client may not have. Undefined as its list: it may have any. */
export function scopesBeyond(allowed: readonly string[] | undefined, scope: string): string[] {
  if (!allowed?.length) return [];
  const known = allowed.map(toKey);
  const limits = allowed.flatMap((one) => parseSmartScope(one) ?? []);
  return splitScopes(scope).filter((asked) => {
    if (known.includes(toKey(asked))) return false;
    const parsed = isResourceScope(asked) ? parseSmartScope(asked) : undefined;
    return !parsed || !limits.some((limit) => covers(limit, parsed));
  });
}

/** Both names of the same (OpenID Connect Core §11, and the peer’s). */
function toKey(scope: string): string {
  return scope === 'offline' ? 'offline_access' : scope;
}

function covers(limit: SmartScope, asked: SmartScope): boolean {
  return (
    limit.context === asked.context &&
    (limit.type === '*' || limit.type === asked.type) &&
    (limit.query === undefined || (limit.type === asked.type && limit.query === asked.query)) &&
    asked.actions.every((action) => limit.actions.includes(action))
  );
}
