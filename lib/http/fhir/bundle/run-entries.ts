import { AppError, ERRORS } from '#lib/base/errors.ts';
import { takeTurns } from '#lib/base/turns.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { runTransaction } from '#lib/domain/rest/transaction/run-transaction.ts';
import { type Outcome, type Step, StepError, type Target } from '#lib/domain/rest/transaction/steps.ts';
import { MOST_ANSWERED } from '#lib/protocol/fhir/bundle-limits.ts';
import type { Reply } from '../../door/reply.ts';
import { noteGlassFor } from '../note-glass.ts';
import { deletedReply, writtenReply } from '../reply.ts';
import { atEntry } from './fault.ts';
import { type Entry, parseEntry } from './parse-entry.ts';
import { newReadBudget } from './read-budget.ts';
import { runEntry } from './run-entry.ts';
import { toResponse } from './to-response.ts';
import { partOf, toStep } from './to-step.ts';

type Outer = { request: Request; extended: boolean };

/** The entries of a transaction, all of them or none: what one of them fails by is the answer to all. Returns their answers, as JSON text. */
export async function runEntries(
  ctx: Ctx,
  raw: readonly Record<string, unknown>[],
  { request, extended }: Outer,
): Promise<string[]> {
  const turn = takeTurns();
  const entries: Entry[] = [];
  for (const [index, one] of raw.entries()) {
    await turn();
    entries.push(parseEntry(one, index));
  }
  refuseSameName(entries);
  const steps = entries.map(toStep);
  const budget = newReadBudget();
  const alone = async (inner: Ctx, { index, verb }: Step, target: Target) => {
    const run = () => runEntry(inner, byTarget(entries[index]!, target), request);
    const reply = verb === 'read' ? await budget.spend(run) : await run();
    return { reply, id: idOf(reply) };
  };
  const outcomes = await runTransaction(ctx, steps, alone).catch((error: unknown) => {
    if (!(error instanceof StepError)) throw error;
    const { error: cause, index } = error;
    noteGlassFor(request, ctx, entries[index]!.path, cause instanceof AppError ? ERRORS[cause.code].status : 500);
    throw atEntry(cause, index);
  });
  const answers: string[] = [];
  let answered = 0;
  for (const [index, entry] of entries.entries()) {
    await turn();
    const reply = toReply(entry, outcomes[index]!, { request, extended });
    answers.push(
      toResponse(entry, answered > MOST_ANSWERED && entry.method !== 'GET' ? { ...reply, body: undefined } : reply),
    );
    answered += answers[index]!.length;
  }
  return answers;
}

/** The condition is resolved: what is asked for is one that is there, or a new one. */
function byTarget(entry: Entry, { id, isNew }: Target): Entry {
  if (entry.method === 'GET' || entry.method === 'HEAD' || entry.path.length > 2) return entry;
  const [type = ''] = entry.path;
  if (isNew) return { ...entry, method: 'POST', path: [type], search: '', ifNoneExist: undefined };
  if (id === undefined || entry.path.length === 2) return entry;
  const resource = entry.method === 'PUT' ? { ...entry.resource, id } : entry.resource;
  return { ...entry, path: [type, id], search: '', resource };
}

function idOf({ headers }: Reply): string | undefined {
  return /\/([\w.-]+)\/_history\/\d+$/.exec(headers?.location ?? '')?.[1];
}

function toReply(entry: Entry, outcome: Outcome<Reply>, { request, extended }: Outer): Reply {
  const { method } = entry;
  if ('alone' in outcome) return outcome.alone;
  if ('deleted' in outcome) return deletedReply(request);
  const reply = writtenReply(request, outcome.written, extended, partOf(entry));
  if (method === 'POST' || outcome.written.created) return reply;
  const { location: _, ...headers } = reply.headers ?? {};
  return { ...reply, headers };
}

/** R4 bundle §2.36.4, bdl-7: then nobody knows which of them is meant. */
function refuseSameName(entries: readonly Entry[]): void {
  const seen = new Map<string, number>();
  for (const { fullUrl, index, method } of entries) {
    if (fullUrl === undefined || method === 'GET' || method === 'HEAD') continue;
    const first = seen.get(fullUrl.toLowerCase());
    if (first !== undefined) {
      const expression = `Bundle.entry[${index}].fullUrl`;
      throw new AppError('invalid', `Bundle.entry[${first}] has the same fullUrl`, { expression });
    }
    seen.set(fullUrl.toLowerCase(), index);
  }
}
