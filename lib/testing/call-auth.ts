import type { RouteHandler } from '#lib/http/api-route.ts';
import { addRoute, makeRouteTree, matchRoute } from '#lib/http/route-tree.ts';
import * as unknownWellKnown from '../../app/.well-known/[...path]/route.ts';
import * as jwks from '../../app/.well-known/jwks.json/route.ts';
import * as openId from '../../app/.well-known/openid-configuration/route.ts';
import * as unknownAuth from '../../app/auth/[...path]/route.ts';
import * as changePassword from '../../app/auth/changepassword/route.ts';
import * as renew from '../../app/auth/link/renew/route.ts';
import * as link from '../../app/auth/link/route.ts';
import * as login from '../../app/auth/login/route.ts';
import * as me from '../../app/auth/me/route.ts';
import * as newProject from '../../app/auth/newproject/route.ts';
import * as newUser from '../../app/auth/newuser/route.ts';
import * as profile from '../../app/auth/profile/route.ts';
import * as resetPassword from '../../app/auth/resetpassword/route.ts';
import * as revoke from '../../app/auth/revoke/route.ts';
import * as setPassword from '../../app/auth/setpassword/route.ts';
import * as devMail from '../../app/dev/mail/route.ts';
import * as unknownOAuth from '../../app/oauth2/[...path]/route.ts';
import * as logout from '../../app/oauth2/logout/route.ts';
import * as token from '../../app/oauth2/token/route.ts';
import type { Answer } from './call-fhir.ts';

export const BASE = 'http://localhost:3999';

const ROUTES = {
  '.well-known/[...path]': unknownWellKnown,
  '.well-known/jwks.json': jwks,
  '.well-known/openid-configuration': openId,
  'auth/[...path]': unknownAuth,
  'auth/changepassword': changePassword,
  'auth/link': link,
  'auth/link/renew': renew,
  'auth/login': login,
  'auth/me': me,
  'auth/newproject': newProject,
  'auth/newuser': newUser,
  'auth/profile': profile,
  'auth/resetpassword': resetPassword,
  'auth/revoke': revoke,
  'auth/setpassword': setPassword,
  'dev/mail': devMail,
  'oauth2/[...path]': unknownOAuth,
  'oauth2/logout': logout,
  'oauth2/token': token,
};

const tree = makeRouteTree<Record<string, RouteHandler>>();
for (const [path, handlers] of Object.entries(ROUTES)) addRoute(tree, path.split('/'), handlers);

export type AuthCall = {
  /** An object is sent as JSON, URLSearchParams as a form, text and bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** A bearer token. */
  token?: string;
  /** The caller's address, as the fast lane tells it. */
  remote?: string;
};

let addresses = 0;

/** A request through the door as the fast lane makes it, from an address of its own: no test meets another's throttle. */
export async function callAuth(method: string, path: string, call: AuthCall = {}): Promise<Answer> {
  const url = `${BASE}${path}`;
  const found = matchRoute(tree, new URL(url).pathname);
  if (!found) throw new Error(`No route for ${path}`);
  const response = await found.target[method]!(toRequest(method, url, call), { params: Promise.resolve(found.params) });
  return readAnswer(response);
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

function toRequest(method: string, url: string, { body, headers = {}, token, remote }: AuthCall): Request {
  const isRaw = body === undefined || typeof body !== 'object' || body instanceof Uint8Array;
  const isForm = body instanceof URLSearchParams;
  addresses += 1;
  return new Request(url, {
    method,
    headers: {
      'x-gatehouse-remote': remote ?? `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(isRaw || isForm ? {} : { 'content-type': 'application/fhir+json' }),
      ...headers,
    },
    body: isRaw || isForm ? (body as BodyInit | undefined) : JSON.stringify(body),
  });
}
