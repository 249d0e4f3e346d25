import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { type Actor, type Ctx, callerOf } from '#lib/domain/access/context.ts';
import { requirePlace } from '#lib/domain/bounds/within-bounds.ts';
import { holdTests } from '#lib/domain/explain/tests/hold-tests.ts';
import { holdPolicyTestsBy } from '#lib/domain/rest/rules/policy-tests.ts';
import { type InView, requireInView } from '#lib/domain/sessions/acting/in-view.ts';
import { countRequest } from '#lib/infra/metrics/count-request.ts';
import { OVERRIDE } from '#lib/protocol/policies/policy-test.ts';
import { noteGlass } from '../fhir/note-glass.ts';
import { authenticate } from './authenticate.ts';
import { corsHeaders } from './cors.ts';
import { type ErrorFamily, toErrorReply } from './error-reply.ts';
import { leavePlaces, ownedBy } from './large-bodies.ts';
import { noteClient } from './note-client.ts';
import type { BodyReader } from './read-body.ts';
import { FHIR_TYPE, type Reply, type StreamedReply } from './reply.ts';
import { requireUtf8 } from './require-utf8.ts';
import { shape, shapeStream } from './shape-body.ts';

holdPolicyTestsBy(holdTests);

export type RouteInput<B> = {
  request: Request;
  url: URL;
  params: Record<string, string>;
  body: B;
  /** The caller asked for project, author and the like in `meta` (X-Medplum: extended). */
  extended: boolean;
};

export type RouteDefinition<B> = {
  /** `none` never looks at credentials. Default `required`. */
  auth?: 'required' | 'none';
  body?: BodyReader<B>;
  /** Who calls, where more than the usual credentials are good. Default: `authenticate`. */
  authenticate?: (ctx: Ctx, request: Request) => Promise<Actor>;
  /** Which of its requests an administrator may send who looks with a member’s eyes. Default: none. */
  inView?: InView;
  /** Told of every answer, also of errors. */
  answered?: (ctx: Ctx, request: Request, answer: { status: number; error?: unknown }) => void;
  /** The family of error bodies: RFC 6749 §5.2 for OAuth endpoints, text where a browser shows them to a person. */
  errors?: ErrorFamily;
  run: (ctx: Ctx, input: RouteInput<NoInfer<B>>) => Promise<Reply | StreamedReply>;
};

export type RouteContext = {
  params: Promise<Record<string, string | string[] | undefined>>;
  /** The route file's place, without what fills its parameters: `/fhir/R4/[type]/[id]`. Next's own mount does not tell it. */
  route?: string;
};
export type RouteHandler = (request: Request, context: RouteContext) => Promise<Response>;

const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** The door: request id, authentication, body, verb, answer. It knows no URL and no permission. */
export function apiRoute<B>(route: RouteDefinition<B>): RouteHandler {
  const handler: RouteHandler = async (request, context) => {
    const started = performance.now();
    const ctx: Ctx = {
      requestId: newId(),
      remoteAddress: process.env.GATEHOUSE_SERVER ? (request.headers.get('x-gatehouse-remote') ?? '') : '',
      userAgent: (request.headers.get('user-agent') ?? '').slice(0, 256),
      origin: request.headers.get('origin') ?? undefined,
      ...(request.headers.get(OVERRIDE.header) === OVERRIDE.value && { overridesTests: true }),
    };
    let reply: Reply | StreamedReply;
    let failure: unknown;
    try {
      reply = await answer(route, ctx, request, context);
    } catch (error) {
      failure = error;
      reply = toErrorReply(error, ctx, request, route.errors ?? 'outcome');
    } finally {
      leavePlaces(request);
    }
    route.answered?.(ctx, request, { status: reply.status, error: failure });
    const ms = performance.now() - started;
    countRequest(request.method, context.route, reply.status, ms);
    noteClient(ctx, request, context.route, reply.status);
    if (failure !== undefined) noteGlass(ctx, request, reply.status);
    log.info({
      requestId: ctx.requestId,
      method: request.method,
      route: context.route,
      status: reply.status,
      ms: Math.round(ms),
      projectId: ctx.actor?.projectId,
    });
    return toResponse(request, ctx, reply);
  };
  runs.set(handler, (ctx, request, params) => run(route, ctx, request, params));
  return handler;
}

type Run = (ctx: Ctx, request: Request, params: Record<string, string>) => Promise<Reply | StreamedReply>;

const runs = new WeakMap<RouteHandler, Run>();

/**
 * What a route answers to a request that came inside of another, as an entry of a Bundle: whose it is, is known. Throws what the route throws.
 */
export function runWithin(handler: RouteHandler, ...[ctx, request, params]: Parameters<Run>): ReturnType<Run> {
  const inner = runs.get(handler);
  if (!inner) throw new Error('Not a route of the API');
  return inner(ctx, request, params);
}

async function answer<B>(
  route: RouteDefinition<B>,
  ctx: Ctx,
  request: Request,
  context: RouteContext,
): Promise<Reply | StreamedReply> {
  if (route.auth !== 'none') {
    ctx.actor = await (route.authenticate ?? authenticate)(ctx, request);
    ownedBy(request, ctx.actor.projectId);
    requirePlace(callerOf(ctx.actor), ctx);
    // Who looks with another’s eyes comes from where both of them may.
    if (ctx.actor.view) requirePlace(ctx.actor, ctx);
  }
  const params = toParams(await context.params);
  if (ctx.actor) requireInView(ctx.actor, route.inView, params);
  return run(route, ctx, request, params);
}

async function run<B>(
  route: RouteDefinition<B>,
  ctx: Ctx,
  request: Request,
  params: Record<string, string>,
): Promise<Reply | StreamedReply> {
  const url = new URL(request.url);
  requireUtf8(url.search, 'query');
  const body = (route.body ? await route.body.read(request) : undefined) as B;
  const extended = request.headers.get('x-medplum') === 'extended';
  return route.run(ctx, { request, url, params, body, extended });
}

async function toResponse(request: Request, ctx: Ctx, reply: Reply | StreamedReply): Promise<Response> {
  const cors = corsHeaders(request);
  const headers: Record<string, string> = {
    ...COMMON,
    ...cors,
    'x-request-id': ctx.requestId,
    ...reply.headers,
  };
  if (reply.contentType) headers['content-type'] = reply.contentType;
  const bodyless = reply.status === 204 || reply.status === 304 || request.method === 'HEAD';
  const body = bodyless ? null : (reply.body ?? null);
  const isPacked = 'packed' in reply;
  if (reply.contentType !== FHIR_TYPE && !isPacked) return new Response(body, { status: reply.status, headers });
  headers.vary = [cors.vary, reply.headers?.vary, 'Accept-Encoding'].filter(Boolean).join(', ');
  const whole = typeof body === 'string' ? await shape(request, body) : { body, headers: {} };
  const shaped = isPacked && body instanceof ReadableStream ? shapeStream(request, body) : whole;
  return new Response(shaped.body, { status: reply.status, headers: { ...headers, ...shaped.headers } });
}

/** Decoded by both mounts. No text in PostgreSQL holds NUL, so nothing has such a name. */
export function toParams(params: Record<string, string | string[] | undefined> = {}): Record<string, string> {
  const known = namesOf(params);
  if (Object.values(known).some((value) => value.includes('\u0000'))) throw new AppError('not-found', 'Not found');
  return known;
}

function namesOf(params: Record<string, string | string[] | undefined> = {}): Record<string, string> {
  const named = Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(named);
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Methods = Record<Method | 'OPTIONS' | 'HEAD', RouteHandler>;

/**
 * A path's methods. Those that are not given answer 405 with `Allow`, and OPTIONS answers the preflight. `allowAt` knows better what some of the
 * paths of a route take, as a value of `Allow`.
 */
export function methods(
  given: Partial<Record<Method, RouteHandler>>,
  errors?: ErrorFamily,
  allowAt?: (params: Record<string, string>) => string | undefined,
): Methods {
  const every = [...Object.keys(given), ...(given.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  const refused = apiRoute({
    auth: 'none',
    errors,
    run: async (_, { params }) => {
      const headers = { allow: allowAt?.(params) ?? every };
      throw new AppError('method-not-allowed', 'Method not allowed', { headers });
    },
  });
  const options: RouteHandler = async (request, { params }) => {
    const allow = allowAt?.(namesOf(await params)) ?? every;
    const headers = { allow, ...corsHeaders(request), 'access-control-max-age': '600', 'x-request-id': newId() };
    return new Response(null, { status: 204, headers });
  };
  const all = {
    GET: refused,
    HEAD: refused,
    POST: refused,
    PUT: refused,
    PATCH: refused,
    DELETE: refused,
    OPTIONS: options,
  };
  return { ...all, ...given, HEAD: given.GET ?? refused };
}

/** For the catch-all under each API root: an unknown path answers an outcome, never a page. */
export const unknownPath = apiRoute({
  auth: 'none',
  run: () => Promise.reject(new AppError('not-found', 'Not found')),
});
