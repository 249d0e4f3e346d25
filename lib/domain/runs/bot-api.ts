import { AppError } from '#lib/base/errors.ts';
import type { CallFacts } from '#lib/infra/sandbox/host/run-job.ts';
import type { Ctx } from '../access/context.ts';

/** A request of a bot's client to our own API. `body`: text, or base64. It is the bot's: nothing of it is checked yet. */
export type BotApiRequest = {
  method: string;
  /** From the root of our address, with its query. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body?: string;
  isBase64?: boolean;
};

/** What such a request may be. */
export const API_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

export type BotApiReply = { status: number; headers: Record<string, string>; body: string; isBase64?: true };

type AnswerRequest = (ctx: Ctx, request: BotApiRequest, note: (facts: CallFacts) => void) => Promise<BotApiReply>;

/** On the global object: Next has a module graph of its own, and the routes stand above this room. */
const PLACE = Symbol.for('gatehouse.bot-api');
const shared = globalThis as { [PLACE]?: AnswerRequest };

const NOT_THERE =
  'The client of a bot has no routes here: `next dev` alone does not offer them (npm start does), or the server has not begun yet';

/** From here on the requests of bots are answered by `answer`. */
export function offerBotApi(answer: AnswerRequest): void {
  shared[PLACE] = answer;
}

/** What our routes answer a bot, under the actor in `ctx`. Throws 400 for what is no request. */
export function askOwnRoutes(ctx: Ctx, request: unknown, note: (facts: CallFacts) => void): Promise<BotApiReply> {
  const answer = shared[PLACE];
  if (!answer) throw new AppError('unavailable', NOT_THERE);
  if (!isRequest(request)) throw new AppError('invalid', 'This is no request');
  return answer(ctx, request, note);
}

function isRequest(value: unknown): value is BotApiRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { method, path, headers, body, isBase64 } = value as Record<string, unknown>;
  if (typeof method !== 'string' || typeof path !== 'string') return false;
  if (typeof headers !== 'object' || headers === null) return false;
  if (!Object.values(headers).every((header) => typeof header === 'string')) return false;
  return (body === undefined || typeof body === 'string') && (isBase64 === undefined || typeof isBase64 === 'boolean');
}
