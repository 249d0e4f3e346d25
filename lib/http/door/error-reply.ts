import { env } from '#lib/base/env.ts';
import { AppError, ERRORS } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { noteRefusal } from '#lib/domain/refusals/note-refusal.ts';
import { isConnectionLoss, isStarved, isTooSlow } from '#lib/infra/db/errors.ts';
import { refusalIn } from '#lib/infra/db/rehearsing.ts';
import { toOutcome } from '#lib/protocol/fhir/outcome.ts';
import { UNPROVEN } from '#lib/protocol/proof/proof.ts';
import { toScimError } from '#lib/protocol/scim/error.ts';
import { fhir, json, type Reply, SCIM_TYPE } from './reply.ts';

/** How an error is written: for FHIR's clients, for OAuth's, for directories, or for the person whose browser was sent here. */
export type ErrorFamily = 'outcome' | 'oauth' | 'scim' | 'text';

/** The one place where an error becomes an answer. What is not an AppError is our own fault: 500, fixed text, the request id. */
export function toErrorReply(thrown: unknown, ctx: Ctx, request: Request, family: ErrorFamily): Reply {
  const error = (!(thrown instanceof AppError) && refusalIn(thrown)) || thrown;
  const known = error instanceof AppError && ERRORS[error.code].status < 500 ? error : toKnown(error, ctx);
  const { status } = ERRORS[known.code];
  const headers = { ...known.options.headers };
  if (known.options.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.options.retryAfterSeconds);
  // What was not read of the body would be taken for the next request.
  if (status === 413) headers.connection = 'close';
  if (known.code === 'unproven') headers['www-authenticate'] = toChallenge(known);
  if (status === 401) headers['www-authenticate'] = `${scheme(request)} realm="${env().BASE_URL}"`;
  if (family === 'oauth') return toOAuthReply(known, status, headers);
  if (family === 'scim')
    return { status, body: JSON.stringify(toScimError(known, status)), contentType: SCIM_TYPE, headers };
  if (family === 'text')
    return { status, body: `${known.message}\n`, contentType: 'text/plain; charset=utf-8', headers };
  const decision = noteRefusal(ctx, known);
  if (decision) headers['x-gatehouse-decision'] = decision;
  return fhir(toOutcome(known, decision), status, headers);
}

function toKnown(error: unknown, ctx: Ctx): AppError {
  // 400 and not 5xx: whoever repeats it costs the same again.
  if (isTooSlow(error))
    return new AppError('too-costly', 'This takes too long; ask for less at once', { cause: error });
  return unexpected(isConnectionLoss(error) || isStarved(error) ? databaseAway(error) : error, ctx);
}

/** It may well be back in a moment: whoever asks again is right to. */
function databaseAway(cause: unknown): AppError {
  return new AppError('unavailable', 'The database does not answer', { cause, retryAfterSeconds: 5 });
}

function unexpected(error: unknown, ctx: Ctx): AppError {
  const away = error instanceof AppError && error.code === 'unavailable' ? error : undefined;
  // Without a cause it is said on purpose, of what is not ready yet: nobody's fault.
  if (away && away.cause === undefined) log.info({ requestId: ctx.requestId, reason: away.message }, 'not ready yet');
  else log.error({ requestId: ctx.requestId, err: error }, 'unexpected error');
  if (away) return away;
  return new AppError('exception', `Internal server error (request ${ctx.requestId})`, { cause: error });
}

/** RFC 9470 §3: what is to be shown, and how old that may be. */
function toChallenge({ message, options }: AppError): string {
  const realm = `Bearer realm="${env().BASE_URL}"`;
  return `${realm}, error="${UNPROVEN}", error_description="${message}", max_age="${options.maxAgeSeconds ?? 0}"`;
}

function scheme(request: Request): string {
  return /^basic /i.test(request.headers.get('authorization') ?? '') ? 'Basic' : 'Bearer';
}

/** RFC 6749 §5.2; of a token that is no good, RFC 6750 §3.1. */
function toOAuthReply(error: AppError, status: number, headers: Record<string, string>): Reply {
  const name =
    error.options.oauth ?? (status >= 500 ? 'server_error' : status === 401 ? 'invalid_token' : 'invalid_request');
  return json({ error: name, error_description: error.message }, status, headers);
}
