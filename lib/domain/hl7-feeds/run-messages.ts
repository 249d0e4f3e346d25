import { setTimeout as pause } from 'node:timers/promises';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import type { Listened } from './listened.ts';
import {
  type Ended,
  failInterrupted,
  findEnded,
  findNext,
  INTERRUPTED,
  markEnded,
  type WaitingMessage,
} from './message-rows.ts';
import { failed, runMessage } from './run-message.ts';

/** `wake` looks for what waits of a feed; `ended` waits for a message's end, and rejects when this stops; `stop` waits for what runs, for a while. */
export type MessageRunner = {
  wake(feed: Listened): void;
  ended(projectId: string, messageId: string): Promise<Ended>;
  stop(): Promise<void>;
};

type Lane = {
  feed: Listened;
  hasMore: boolean;
  isSettled: boolean;
  hasFailed: boolean;
  /** Since when its bot has been off. */
  offSince?: number;
  working?: Promise<void>;
};

const MOST_TRIES = 3;
const STOP_MS = 4000;

/**
 * Runs the messages of feeds, in the one process that listens: of one feed one after the other. A bot that fails gets its message twice more, while the rest waits; but
 * where it has failed with the one before, at once the next, so that a bot that is broken does not hold up what comes for hours.
 */
export function createMessageRunner(): MessageRunner {
  const lanes = new Map<string, Lane>();
  const waiters = new Map<string, PromiseWithResolvers<Ended>>();
  const stopping = new AbortController();
  const cutting = new AbortController();

  function wake(feed: Listened): void {
    const lane = lanes.get(feed.id) ?? { feed, hasMore: false, isSettled: false, hasFailed: false };
    lanes.set(feed.id, lane);
    // A connection that is to end may know it as it was.
    const isOlder = (feed.wokenAt?.getTime() ?? 0) < (lane.feed.wokenAt?.getTime() ?? 0);
    Object.assign(lane, { hasMore: true, ...(!isOlder && { feed }) });
    if (stopping.signal.aborted) return;
    lane.working ??= work(lane)
      .catch((err: unknown) => log.warn({ err }, 'HL7 v2 messages wait on'))
      .finally(() => {
        lane.working = undefined;
      });
  }

  async function work(lane: Lane): Promise<void> {
    while (lane.hasMore && !stopping.signal.aborted) {
      try {
        if (!lane.isSettled) await failInterrupted(lane.feed);
        lane.isSettled = true;
        lane.hasMore = false;
        for (;;) {
          const next = stopping.signal.aborted ? undefined : await findNext(lane.feed);
          if (!next) break;
          await runOne(lane, next);
        }
      } catch (err) {
        // The database is away: what waits waits there.
        lane.hasMore = true;
        log.warn({ err }, 'HL7 v2 messages wait on');
        await rest(pace.hl7RetryMs);
      }
    }
  }

  async function runOne(lane: Lane, message: WaitingMessage): Promise<void> {
    const { feed } = lane;
    const ran = await runMessage(feed, message, cutting.signal);
    const ended = ran === 'off' ? whileOff(lane) : ran;
    if (ran !== 'off') lane.offSince = undefined;
    if (!ended) return rest(pace.hl7RetryMs);
    if (ended.state === 'waiting') {
      await untilKept(() => markEnded(feed.projectId, message.id, ended, message.tries));
      return rest(pace.hl7RetryMs);
    }
    const tries = message.tries + 1;
    const isAgain =
      ended.state === 'failed' &&
      ended.failure !== INTERRUPTED &&
      !ended.isRefused &&
      feed.answer === 'stored' &&
      !lane.hasFailed &&
      tries < MOST_TRIES &&
      !cutting.signal.aborted;
    const kept = isAgain ? { ...ended, state: 'waiting' as const } : ended;
    await untilKept(() => markEnded(feed.projectId, message.id, kept, tries));
    if (isAgain) return rest(pace.hl7RetryMs * 5 ** message.tries);
    lane.hasFailed = ended.state === 'failed' && !ended.isRefused;
    waiters.get(message.id)?.resolve(ended);
    waiters.delete(message.id);
  }

  /** Whose bot is turned on again within the hour has what was acknowledged in its order; who waits for the bot's word is told at once. */
  function whileOff(lane: Lane): Ended | undefined {
    lane.offSince ??= performance.now();
    const isOver = lane.feed.answer === 'bot' || performance.now() - lane.offSince > pace.hl7OffMs;
    return isOver ? failed('The bot of this feed cannot run just now') : undefined;
  }

  /** It ran: it must not run again because of that nobody could write it down. */
  async function untilKept(keep: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await keep();
      } catch (error) {
        if (stopping.signal.aborted) throw error;
        log.warn({ err: error }, 'the end of an HL7 v2 message waits to be written');
        await rest(pace.hl7RetryMs);
      }
    }
  }

  function rest(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function ended(projectId: string, messageId: string): Promise<Ended> {
    stopping.signal.throwIfAborted();
    const waiter = waiters.get(messageId) ?? Promise.withResolvers<Ended>();
    waiters.set(messageId, waiter);
    await look();
    // It may end elsewhere: what it says is erased, or its feed removed.
    const looking = setInterval(() => void look().catch(() => undefined), pace.hl7LookMs);
    return waiter.promise.finally(() => clearInterval(looking));

    async function look(): Promise<void> {
      const found = await findEnded(projectId, messageId);
      if (!found) return;
      if (waiters.get(messageId) === waiter) waiters.delete(messageId);
      waiter.resolve(found);
    }
  }

  async function stop(): Promise<void> {
    stopping.abort(new Error('The server stops'));
    const cut = setTimeout(() => cutting.abort(), STOP_MS);
    await Promise.all([...lanes.values()].map(({ working }) => working));
    clearTimeout(cut);
    for (const { promise, reject } of waiters.values()) {
      promise.catch(() => undefined);
      reject(stopping.signal.reason);
    }
    waiters.clear();
  }

  return { wake, ended, stop };
}
