import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { type NamedRequest, nameRequest } from '#lib/domain/idempotency/kept-answers.ts';
import { runClaimed } from '#lib/domain/idempotency/run-claimed.ts';
import { type Once, runOnce } from '#lib/domain/idempotency/run-once.ts';
import { IDEMPOTENCY_KEY } from '#lib/protocol/requests/idempotency-key.ts';
import type { Reply } from './reply.ts';

/**
 * A change that happens once for each Idempotency-Key of a caller (`runOnce`). The same key with the same body gives the first answer
 * again (`Idempotent-Replayed: true`) for 24 hours, with another body or path 422. Without the header it just runs.
 */
export async function onceInTransaction(
  ctx: Ctx,
  request: Request,
  body: unknown,
  run: (ctx: Ctx) => Promise<Reply>,
): Promise<Reply> {
  const named = readKey(ctx, request, body);
  return named ? toReply(await runOnce(ctx, named, run)) : run(ctx);
}

/** As `onceInTransaction`, for work that must not hold a transaction (`runClaimed`): while the first one runs, the same key answers 409. */
export async function onceClaimed(
  ctx: Ctx,
  request: Request,
  body: unknown,
  run: () => Promise<Reply>,
): Promise<Reply> {
  return onceNamed(readKey(ctx, request, body), run);
}

/** As `onceClaimed`, for a request that has a name by another way than its header; undefined: it just runs. */
export async function onceNamed(named: NamedRequest | undefined, run: () => Promise<Reply>): Promise<Reply> {
  return named ? toReply(await runClaimed(named, run)) : run();
}

function readKey(ctx: Ctx, request: Request, body: unknown): NamedRequest | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (!IDEMPOTENCY_KEY.test(key)) {
    throw new AppError('invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters', {
      expression: 'Idempotency-Key',
    });
  }
  const { pathname, search } = new URL(request.url);
  return nameRequest(ctx, key, [request.method, pathname, search, JSON.stringify(body) ?? ''].join('\n'));
}

function toReply({ answer, replayed }: Once): Reply {
  return replayed ? { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } : answer;
}
