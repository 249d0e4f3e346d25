import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { within } from '#lib/base/within.ts';
import { databaseAddress } from './address.ts';
import { isConnectionLoss } from './errors.ts';
import { nameOf, openSingle } from './single/single.ts';
import { toTextArray } from './text-array.ts';

export type Hearing = {
  /** By channel. */
  channels: Readonly<Record<string, (message: string) => void>>;
  /** True: all that is said from now on is heard. False: something may have been missed. */
  onChange(isHeard: boolean): void;
};

/**
 * One connection listens, the other speaks as changes do, by way of the pooler where there is one: what is said on the first itself could be
 * heard behind a pooler that passes nothing else on, or when the two lead to different servers since one of them failed over.
 */
type Line = {
  ear: postgres.Sql;
  voice: postgres.Sql;
  /** A channel of this line's own, on which its words come back. */
  own: string;
  expected: Map<string, () => void>;
  /** Asked for by others, and not answered yet. */
  owed: Notice[];
  isAnswering: boolean;
};

export type Notice = { channel: string; payload: string };

/** To be said with other notices, after them: whoever answers it has done what those say. */
export type Round = {
  notice: Notice;
  /** Resolves when so many answered (`EARS` when it was said), and at the latest after `pace.roundLimitMs`. */
  answered(by: number): Promise<void>;
};

export type ProvenListener = {
  stop(): Promise<void>;
  /** None while nothing is heard. */
  round(): Round | undefined;
};

const EAR = 'ear';
/** How many listen that answer a round: their connections say who they are. */
export const EARS = `(select count(*)::int from pg_stat_activity where application_name = '${nameOf(EAR)}' and datname = current_database())`;
/** Whoever hears a word on it says it again on the channel that stands before it. */
const ROUNDS = 'gatehouse_round';

const RETRY_MS = 500;

/**
 * LISTEN, believed only while a notice of our own arrives: a connection may be dead without anybody knowing, or lead to a pooler that takes
 * LISTEN and passes on nothing. Rejects when the first is not heard; from then on a line that fails is replaced.
 */
export async function listenProven({ channels, onChange }: Hearing): Promise<ProvenListener> {
  let current: Line | undefined;
  let timer: NodeJS.Timeout | undefined;
  await open();
  return { stop, round: () => current && startRound(current) };

  async function open(): Promise<void> {
    const line = connect(onNotice, () => lose(line));
    current = line;
    try {
      await within(
        pace.proofLimitMs,
        line.ear.unsafe([...Object.keys(channels), ROUNDS, line.own].map((channel) => `listen ${channel}`).join('; ')),
      );
      await prove(line);
    } catch (error) {
      if (current === line) current = undefined;
      void close(line);
      throw error;
    }
    if (current !== line) return close(line);
    onChange(true);
    timer = setTimeout(check, pace.proofEveryMs, line).unref();
  }

  function onNotice(on: string, message: string): void {
    const heard = Object.hasOwn(channels, on) ? channels[on] : undefined;
    if (heard) heard(message);
    else if (on === ROUNDS && current) answer(current, message);
    else if (current?.own === on) current.expected.get(message)?.();
  }

  async function check(line: Line): Promise<void> {
    try {
      await prove(line);
      if (current === line) timer = setTimeout(check, pace.proofEveryMs, line).unref();
    } catch (error) {
      lose(line, error);
    }
  }

  function lose(line: Line, error?: unknown): void {
    if (current !== line) return;
    current = undefined;
    clearTimeout(timer);
    log.warn({ err: error }, 'cache invalidation is not listening');
    onChange(false);
    void close(line);
    timer = setTimeout(again, RETRY_MS).unref();
  }

  async function again(): Promise<void> {
    try {
      await open();
    } catch (error) {
      log.warn({ err: error }, 'cache invalidation is not listening');
      if (timer) timer = setTimeout(again, RETRY_MS).unref();
    }
  }

  async function stop(): Promise<void> {
    const line = current;
    current = undefined;
    clearTimeout(timer);
    timer = undefined;
    if (line) await close(line);
  }
}

async function prove(line: Line): Promise<void> {
  const word = newId();
  const { promise, resolve } = Promise.withResolvers<void>();
  line.expected.set(word, resolve);
  const said = line.voice.unsafe('select pg_notify($1, $2)', [line.own, word]);
  await within(pace.proofLimitMs, Promise.all([said, promise]))
    .catch((error) => {
      if (isConnectionLoss(error)) throw error;
      throw new Error(
        'A notice to ourselves is not heard: DATABASE_URL must lead to PostgreSQL or to a pooler in session mode, or DATABASE_DIRECT_URL past the pooler to the same PostgreSQL',
      );
    })
    .finally(() => line.expected.delete(word));
}

function startRound({ own, expected }: Line): Round {
  const word = newId();
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  let wanted = Number.POSITIVE_INFINITY;
  const timer = setTimeout(end, pace.roundLimitMs).unref();
  expected.set(word, () => look(count + 1));
  return { notice: { channel: ROUNDS, payload: `${own} ${word}` }, answered };

  /** All may have answered before the transaction tells how many they are. */
  function answered(by: number) {
    wanted = by;
    look(count);
    return promise;
  }

  function look(answers: number) {
    count = answers;
    if (count >= wanted) end();
  }

  function end() {
    clearTimeout(timer);
    expected.delete(word);
    resolve();
  }
}

/** What is asked for while one answer is under way is answered by the next, together. One that fails is not missed for longer than a round may take. */
async function answer(line: Line, asked: string): Promise<void> {
  const [channel, payload] = asked.split(' ');
  if (!channel || !payload) return;
  if (channel === line.own) return line.expected.get(payload)?.();
  line.owed.push({ channel, payload });
  if (line.isAnswering) return;
  line.isAnswering = true;
  while (line.owed.length > 0) {
    await line.voice.unsafe(SAY, toTexts(line.owed.splice(0))).catch(() => undefined);
  }
  line.isAnswering = false;
}

const SAY = 'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as n(channel, payload)';

/** The two parameters of statements that say them. */
export function toTexts(notices: Notice[]): [string, string] {
  return [toTextArray(notices.map(({ channel }) => channel)), toTextArray(notices.map(({ payload }) => payload))];
}

function connect(onNotice: (channel: string, message: string) => void, onClose: () => void): Line {
  return {
    ear: openSingle(EAR, { onnotify: onNotice, onclose: onClose }),
    voice: openSingle('invalidation', {}, databaseAddress()),
    own: `gatehouse_proof_${randomBytes(8).toString('hex')}`,
    expected: new Map(),
    owed: [],
    isAnswering: false,
  };
}

async function close({ ear, voice }: Line): Promise<void> {
  await Promise.all([ear.end({ timeout: 1 }), voice.end({ timeout: 1 })]);
}
