import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/domain/access/context.ts';

/** Whether the caller sits at this machine, and asks for it by one of its own names: for what is shown without credentials. */
export function isOnThisMachine(ctx: Ctx, request: Request): boolean {
  return isFromThisMachine(ctx, request) && isForThisMachine(request);
}

/** What proxies set, one or the other of them. nginx as it comes says nothing but that it closes. */
const OF_A_PROXY = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-server'];

/** Not through a proxy. `next dev` has no fast lane to tell the address: it listens on this machine only, and is a proxy of its own. */
function isFromThisMachine({ remoteAddress }: Ctx, { headers }: Request): boolean {
  const forwarded = headers.get('x-forwarded-for');
  if (env().TRUSTED_PROXIES > 0) return false;
  if (remoteAddress !== '') {
    const isDirect = !OF_A_PROXY.some((name) => headers.has(name)) && headers.get('connection') !== 'close';
    return isDirect && forwarded === null && isLoopback(remoteAddress);
  }
  return (
    env().NODE_ENV === 'development' && (forwarded ?? '127.0.0.1').split(',').every((part) => isLoopback(part.trim()))
  );
}

function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address);
}

/**
 * A loopback address alone proves little. A page of another site in the developer's browser calls from there too (it says its origin),
 * so does one whose name was rebound to this machine (it says its host).
 */
function isForThisMachine(request: Request): boolean {
  const { origin, hostname } = new URL(request.url);
  // A server with a public name stands behind something, and a proxy that says nothing of itself cannot be told from its own machine.
  const isLocalName = [hostname, new URL(env().BASE_URL).hostname].every((name) => LOCAL_NAME.test(name));
  const site = request.headers.get('sec-fetch-site') ?? 'none';
  const isOwnPage = (request.headers.get('origin') ?? origin) === origin && ['none', 'same-origin'].includes(site);
  return isLocalName && isOwnPage;
}

const LOCAL_NAME = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;
