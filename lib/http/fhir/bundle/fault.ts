import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { toErrorReply } from '../../door/error-reply.ts';
import type { Reply } from '../../door/reply.ts';

/** Where in its entry a condition stands that a single request has as a header. */
const PLACES: Record<string, string> = {
  'if-match': 'request.ifMatch',
  'if-none-match': 'request.ifNoneMatch',
  'if-none-exist': 'request.ifNoneExist',
};

/** The same error, whose issues name the entry: what is wrong with its resource stands below `Bundle.entry[3].resource`. */
export function atEntry(error: unknown, index: number): unknown {
  if (!(error instanceof AppError) || error.options.outcome) return error;
  const issues = error.issues.map((issue) => ({ ...issue, expression: placeOf(issue.expression, index) }));
  return new AppError(error.code, error.message, { ...error.options, cause: error.cause, issues });
}

function placeOf(expression: string | undefined, index: number): string {
  const entry = `Bundle.entry[${index}]`;
  if (expression === undefined) return entry;
  if (expression.startsWith('Bundle.entry[')) return expression;
  if (Object.hasOwn(PLACES, expression)) return `${entry}.${PLACES[expression]}`;
  if (expression === 'resourceType') return `${entry}.resource.resourceType`;
  const [, path] = /^[A-Z]\w*(\..+)?$/s.exec(expression) ?? [];
  if (/^[A-Z]\w*(?:\.|$)/.test(expression)) return `${entry}.resource${path ?? ''}`;
  return `${entry}.request.url`;
}

/** What an entry of a batch answers whose request fails. */
export function toFault(error: unknown, ctx: Ctx, request: Request, index: number): Reply {
  return toErrorReply(atEntry(error, index), ctx, request, 'outcome');
}
