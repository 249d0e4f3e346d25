import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { fetchOutside } from '#lib/infra/net/fetch-outside.ts';

/** Who names a client makes us ask for its keys, so after a failure nobody does for a while. */
const AFTER_FAILURE_MS = 10_000;
const KEPT_MS = 10 * 60_000;
/** A key that is not among them may be new. */
const LOOKED_AGAIN_MS = 30_000;

const known = new LRUCache<string, JWTVerifyGetKey>({ max: 1000 });

/** The public keys that stand at a client's `jwksUri`: fetched when one is needed, kept for ten minutes, and asked for anew for an unknown one. */
export function clientKeys(jwksUri: string): JWTVerifyGetKey {
  const kept = known.get(jwksUri);
  if (kept) return kept;
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    cacheMaxAge: KEPT_MS,
    cooldownDuration: LOOKED_AGAIN_MS,
    timeoutDuration: 5000,
    [customFetch]: withRest((url, { signal }) =>
      fetchOutside(url, { signal, accept: 'application/jwk-set+json, application/json' }),
    ),
  });
  known.set(jwksUri, keys);
  return keys;
}

type Fetch = (url: string, options: { signal: AbortSignal }) => Promise<Response>;

function withRest(fetch: Fetch): Fetch {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (url, options) => {
    if (performance.now() - failedAt < AFTER_FAILURE_MS) throw new Error('the keys could not be fetched a moment ago');
    const before = failedAt;
    failedAt = performance.now();
    const response = await fetch(url, options);
    if (response.ok) failedAt = before;
    return response;
  };
}
