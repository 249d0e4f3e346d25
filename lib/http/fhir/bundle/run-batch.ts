import { takeTurns } from '#lib/base/turns.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { MOST_ANSWERED } from '#lib/protocol/fhir/bundle-limits.ts';
import type { Reply } from '../../door/reply.ts';
import { noteGlassAt } from '../note-glass.ts';
import { toFault } from './fault.ts';
import { namesIn } from './names-in.ts';
import { type Entry, parseEntry } from './parse-entry.ts';
import { newReadBudget } from './read-budget.ts';
import { runEntry } from './run-entry.ts';
import { toResponse } from './to-response.ts';

/** What can be done beside others: reads, of which each is a round trip, and new resources, which are stored together. */
const AT_ONCE = { read: 4, create: 64, alone: 1 };
type Kind = keyof typeof AT_ONCE;

/**
 * Each entry by itself, as the request that it stands for, in the order in which they came (R4 http §3.1.0.11.1): what one of them comes to
 * is nothing to the others. Returns their answers, as JSON text.
 */
export async function runBatch(ctx: Ctx, raw: readonly Record<string, unknown>[], request: Request): Promise<string[]> {
  const names = namesIn(raw);
  const answers = Array<string>(raw.length).fill('');
  const turn = takeTurns();
  const budget = newReadBudget();
  let answered = 0;
  const one = async (at: number) => {
    await turn();
    let entry: Entry | undefined;
    let reply: Reply;
    try {
      entry = parseEntry(raw[at]!, at);
      names.refuseIn(entry);
      const alone = () => runEntry(ctx, entry!, request);
      const run = () => ctx.write?.attempt?.(alone) ?? alone();
      reply = kindOf(raw[at]!) === 'read' ? await budget.spend(run) : await run();
    } catch (error) {
      reply = toFault(error, ctx, request, at);
      noteGlassAt(ctx, entry?.path ?? [], reply.status);
    }
    if (answered > MOST_ANSWERED && reply.status < 400) reply = { ...reply, body: undefined };
    answers[at] = toResponse(entry, reply);
    answered += answers[at].length;
    if (kindOf(raw[at]!) !== 'read') budget.answer(answers[at].length);
  };
  for (let at = 0; at < raw.length; ) {
    const kind = kindOf(raw[at]!);
    let end = at + 1;
    while (end < raw.length && kindOf(raw[end]!) === kind) end += 1;
    // In the one transaction of a dry run each comes after the other.
    await eachOf(at, end, ctx.write ? 1 : AT_ONCE[kind], one);
    at = end;
  }
  return answers;
}

async function eachOf(from: number, to: number, most: number, run: (at: number) => Promise<void>): Promise<void> {
  let next = from;
  const worker = async () => {
    while (next < to) await run(next++);
  };
  await Promise.all(Array.from({ length: Math.min(most, to - from) }, worker));
}

function kindOf({ request }: Record<string, unknown>): Kind {
  const { method, url, ifNoneExist } = (request ?? {}) as { method?: unknown; url?: unknown; ifNoneExist?: unknown };
  if (method === 'GET' || method === 'HEAD') return 'read';
  const isPlain = typeof url === 'string' && /^\/?[A-Z]\w+$/.test(url);
  return method === 'POST' && isPlain && ifNoneExist === undefined ? 'create' : 'alone';
}
