import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '#lib/domain/access/context.ts';
import { isKey } from '#lib/domain/api-keys/key-token.ts';
import { isYoung } from '#lib/domain/bounds/within-bounds.ts';
import { actorOfClient } from '#lib/domain/clients/actor-of-client.ts';
import { verifyBearer } from '#lib/domain/oauth/verify-access-token.ts';
import { actOnBehalfOf } from '#lib/domain/sessions/acting/act-on-behalf-of.ts';
import { actorOfView } from '#lib/domain/sessions/acting/actor-of-view.ts';
import { notInView } from '#lib/domain/sessions/acting/in-view.ts';
import { actorOfKey } from '#lib/domain/sessions/actor-of-key.ts';
import { actorOfLogin } from '#lib/domain/sessions/actor-of-login.ts';
import { readSession } from './session-cookie.ts';

/** The project whose page asks. A tab that is left behind by a session that went to another project neither shows nor changes that one. */
const PAGE_PROJECT = 'X-Gatehouse-Project';

/**
 * Bearer token (a login's, or a person's key), Basic client credentials or the console's session cookie: the actor as it stands now. Throws 401 for everything
 * that is not a live login: a client drops its session on 401, so it never means "not permitted".
 */
export async function authenticate(ctx: Ctx, request: Request): Promise<Actor> {
  const actor = await principal(ctx, request);
  const other = request.headers.get('x-medplum-on-behalf-of');
  if (!other) return actor;
  if (actor.view) throw notInView();
  return actOnBehalfOf({ ...ctx, actor }, other);
}

async function principal(ctx: Ctx, request: Request): Promise<Actor> {
  const header = request.headers.get('authorization');
  if (header === null) return bySession(request);
  const space = header.indexOf(' ');
  const value = header.slice(space + 1).trim();
  switch (header.slice(0, Math.max(space, 0)).toLowerCase()) {
    case 'bearer':
      if (isKey(value)) return actorOfKey(ctx, value);
      return byToken(value);
    case 'basic':
      return byClient(ctx, value);
    default:
      throw new AppError('unauthorized', 'Authentication required');
  }
}

/**
 * Whose session a browser has that another site has sent here, for what answers with an address alone: nobody else reads it, and the one
 * who does is the app that the person has said yes to. Undefined when there is none that lives.
 */
export async function authenticateBrowser(request: Request): Promise<Actor | undefined> {
  const login = await readSession(request);
  if (!login) return undefined;
  return actorOfLogin(login).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    throw error;
  });
}

/** A token from before the project has its bound lives no longer than one from after. */
async function byToken(token: string): Promise<Actor> {
  const claims = await verifyBearer(token);
  if ('view' in claims) return actorOfView(claims.view);
  const { login, issuedAtSeconds } = claims;
  const actor = await actorOfLogin(login);
  if (!isYoung(actor.bounds.accessSeconds, issuedAtSeconds))
    throw new AppError('unauthorized', 'Invalid or expired token');
  return actor;
}

async function byClient(ctx: Ctx, value: string): Promise<Actor> {
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  if (!id || !secret) throw new AppError('unauthorized', 'Authentication required');
  return actorOfClient(ctx, id, secret);
}

async function bySession(request: Request): Promise<Actor> {
  const login = isSameOrigin(request) ? await readSession(request) : undefined;
  if (!login) throw new AppError('unauthorized', 'Authentication required');
  const actor = await actorOfLogin(login);
  const wanted = request.headers.get(PAGE_PROJECT);
  if (wanted !== null && wanted !== actor.projectId) {
    throw new AppError('conflict', 'This session is now for another project', { expression: `http.${PAGE_PROJECT}` });
  }
  return actor;
}

/**
 * The cookie travels by itself, so it counts only when the browser says that our own page sent the request (Fetch Metadata), or,
 * from a browser that does not say, when a change carries our own Origin.
 */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  if (origin !== null && origin !== env().BASE_URL && site !== 'same-origin') return false;
  if (site !== null) return site === 'same-origin' || (site === 'none' && isSafe(request));
  return origin === env().BASE_URL || isSafe(request);
}

/**
 * A GET that does something: where the cookie says who calls, the browser must say (Fetch Metadata) or show (Origin, Referer) that a page of
 * ours sent it. A link in a mail or on another site does not. Throws 403.
 */
export function requireOwnPage(request: Request): void {
  if (request.headers.get('authorization') !== null || !isSafe(request)) return;
  const { headers } = request;
  const from = headers.get('origin') ?? URL.parse(headers.get('referer') ?? '')?.origin;
  const site = headers.get('sec-fetch-site') ?? (from === env().BASE_URL ? 'same-origin' : 'unknown');
  if (site !== 'same-origin')
    throw new AppError('forbidden', 'Only a page of this site does this with a session: use POST');
}

function isSafe(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}
