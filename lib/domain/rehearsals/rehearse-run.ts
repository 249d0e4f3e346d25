import { AppError } from '#lib/base/errors.ts';
import { pace } from '#lib/base/pace.ts';
import { isHeldUp } from '#lib/infra/db/errors.ts';
import { openRehearsal } from '#lib/infra/db/open-rehearsal.ts';
import { refuseInRehearsal } from '#lib/infra/db/rehearsing.ts';
import type { RunJob } from '#lib/infra/sandbox/host/run-job.ts';
import type { DryCall, DryRun, Stubs } from '#lib/protocol/bots/dry-run.ts';
import type { Mask } from '#lib/protocol/bots/secret-mask.ts';
import type { Ctx } from '../access/context.ts';
import type { BotCode } from '../bots/to-bot-code.ts';
import type { BotRequest } from '../runs/bot-request.ts';
import { withOwnFetch } from '../runs/fetch/own-address.ts';
import { enterGate, tooManyRuns } from '../runs/gate.ts';
import { maskOf, maskResult } from '../runs/mask-result.ts';
import { type Bridge, type Ready, toRunJob } from '../runs/run-loaded-bot.ts';
import { runBot } from '../runs/runner.ts';
import { answerByStub, namesOwn } from './answer-by-stub.ts';
import { type Collected, collectWrites } from './collect-writes.ts';
import { toDifferences } from './to-differences.ts';
import { takeTurn } from './turn.ts';

/** `key`: names this code for good, among all of the bot's. `number`: null for a draft. */
export type RehearsedCode = { key: string; number: number | null } & Pick<BotCode, 'bundle' | 'sourceMap'>;
export type RehearsedInput = Pick<BotRequest, 'event' | 'rawText' | 'contentType'>;

const MOST_MS = 10_000;
const MOST_CALLS = 500;
/** What `getAccessToken()` gives here: within this run alone our own address knows it, and it goes nowhere else, since `fetch` is answered by stubs. */
const NO_TOKEN = 'a-dry-run-has-no-token';

/**
 * Runs this code as the bot, in a transaction that is taken back: it sees what it writes, and nothing of it stays. What goes out (mail, fetch)
 * is answered by stubs, or refused. At most ten seconds, and one of a project at a time. Throws 409 when it had to give way, 429.
 */
export async function rehearseRun(
  ctx: Ctx,
  ready: Omit<Ready, 'code'>,
  code: RehearsedCode,
  input: RehearsedInput,
  stubs: Stubs,
  bridge: Bridge,
): Promise<DryRun> {
  const { projectId } = ready.caller;
  // It would wait for the turn of the one that waits for it.
  refuseInRehearsal('make another');
  const giveBack = await takeTurn(projectId, async () => enterGate(projectId));
  const abort = new AbortController();
  let lost: unknown;
  const session = openRehearsal(MOST_MS, (why) => {
    lost = why;
    abort.abort();
  });
  try {
    const calls: DryCall[] = [];
    let collected: Collected | undefined;
    const inside: Bridge = (inner) => (method, args, note, signal) =>
      session.step(async (tx) => {
        collected ??= collectWrites(inner, tx);
        const { w, entries } = collected;
        const before = entries.length;
        try {
          const value = await bridge({ ...inner, write: w })(method, args, note, signal);
          await w.settle();
          return value;
        } catch (error) {
          entries.length = before;
          throw error;
        }
      });
    // Outside of whatever else answers calls: what a stub is for never goes on.
    const stubbed =
      (call: RunJob['call']): RunJob['call'] =>
      async (method, args, note, ...rest) => {
        const hosts = ready.bot.resource.allowedHost ?? ready.caller.botHosts;
        const stub = answerByStub(method, args, stubs, namesOwn(method, args, stubs) ? undefined : hosts);
        const told = (ok: boolean) => {
          const target = stub?.target ?? targetOf(args);
          if (calls.length < MOST_CALLS) calls.push({ method, target, ok, answeredBy: stub ? 'stub' : 'gatehouse' });
        };
        try {
          const value = stub ? stub.answer() : await call(method, args, note, ...rest);
          told(true);
          return value;
        } catch (error) {
          told(false);
          throw toTellable(error);
        }
      };
    const accessToken = ready.bot.resource.runAsUser ? undefined : NO_TOKEN;
    const job = toJob(
      toRunJob(
        ctx,
        { ...ready, code: { ...code, number: 0, hash: code.key, wantsToken: false } },
        toRequest(input, abort),
        inside,
        { accessToken },
      ),
      ready,
      code,
    );
    const outside = stubbed(job.call);
    const own = withOwnFetch(outside, accessToken);
    const call: RunJob['call'] = (method, args, ...rest) =>
      (namesOwn(method, args, stubs) ? outside : own)(method, args, ...rest);
    const result = await maskResult(await runBot({ ...job, call }), maskOf(ready.bot.secrets));
    if (lost) throw lost;
    const writes = collected
      ? await session.step(async (tx) =>
          toDifferences(ready.actor, collected!.entries, { tx, mask: maskOf(ready.bot.secrets) }),
        )
      : [];
    return {
      version: code.number,
      ok: result.ok,
      output: result.ok ? result.value : null,
      failure: result.ok
        ? null
        : {
            reason: result.reason,
            message: result.message,
            stack: result.stack ?? null,
            outcome: result.outcome ?? null,
          },
      logs: result.logs,
      calls: await maskTargets(calls, maskOf(ready.bot.secrets)),
      writes,
      durationMs: Math.round(result.durationMs),
    };
  } finally {
    await session.end();
    giveBack();
  }
}

function toRequest(input: RehearsedInput, abort: AbortController): BotRequest {
  return { ...input, headers: {}, trigger: 'http', job: { signal: abort.signal, begin: async () => undefined } };
}

function toJob(job: RunJob, { bot }: Omit<Ready, 'code'>, { key }: RehearsedCode): RunJob {
  return {
    ...job,
    versionKey: `${job.projectId}/${bot.row.id}/${key}`,
    timeoutMs: Math.min(job.timeoutMs, MOST_MS),
    // Others wait for the turn that it has.
    waits: { mostMs: pace.dryRunWaitMs, late: () => tooManyRuns('Too many bots are running') },
  };
}

async function maskTargets(calls: DryCall[], mask: Mask | undefined): Promise<DryCall[]> {
  if (!mask) return calls;
  const masked: DryCall[] = [];
  for (const call of calls) masked.push({ ...call, target: call.target && (await mask(call.target, { cut: true })) });
  return masked;
}

/** Of a type, or of a resource. */
function targetOf([first, second]: readonly unknown[]): string | null {
  if (typeof first === 'string')
    return typeof second === 'string' ? `${first}/${second}`.slice(0, 200) : first.slice(0, 200);
  const { resourceType, id, reference } = (first ?? {}) as Record<string, unknown>;
  if (typeof reference === 'string') return reference.slice(0, 200);
  if (typeof resourceType !== 'string') return null;
  return typeof id === 'string' ? `${resourceType}/${id}` : resourceType;
}

/** A lock that somebody holds is no fault of ours. */
function toTellable(error: unknown): unknown {
  return isHeldUp(error)
    ? new AppError('conflict', 'Somebody else changes this at the moment', { cause: error })
    : error;
}
