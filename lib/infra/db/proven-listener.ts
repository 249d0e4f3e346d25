import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { within } from '#lib/base/within.ts';
import { databaseAddress } from './address.ts';
import { isConnectionLoss } from './errors.ts';
import { openSingle } from './single/single.ts';

export type Hearing = {
  channel: string;
  onMessage(message: string): void;
  /** True: all that is said from now on is heard. False: something may have been missed. */
  onChange(isHeard: boolean): void;
};

/**
 * One connection listens, the other speaks as changes do, by way of the pooler where there is one: what is said on the first itself could be
 * heard behind a pooler that passes nothing else on, or when the two lead to different servers since one of them failed over.
 */
type Line = { ear: postgres.Sql; voice: postgres.Sql; proofs: string; expected?: { word: string; heard: () => void } };

const RETRY_MS = 500;

/**
 * LISTEN, believed only while a notice of our own arrives: a connection may be dead without anybody knowing, or lead to a pooler that takes
 * LISTEN and passes on nothing. Rejects when the first is not heard; from then on a line that fails is replaced. Resolves to what ends it.
 */
export async function listenProven({ channel, onMessage, onChange }: Hearing): Promise<() => Promise<void>> {
  let current: Line | undefined;
  let timer: NodeJS.Timeout | undefined;
  await open();
  return stop;

  async function open(): Promise<void> {
    const line = connect(onNotice, () => lose(line));
    current = line;
    try {
      await within(pace.proofLimitMs, line.ear.unsafe(`listen ${channel}; listen ${line.proofs}`));
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
    if (on === channel) onMessage(message);
    else if (current?.proofs === on && current.expected?.word === message) current.expected.heard();
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
  line.expected = { word, heard: resolve };
  const said = line.voice.unsafe('select pg_notify($1, $2)', [line.proofs, word]);
  await within(pace.proofLimitMs, Promise.all([said, promise])).catch((error) => {
    if (isConnectionLoss(error)) throw error;
    throw new Error(
      'A notice to ourselves is not heard: DATABASE_URL must lead to PostgreSQL or to a pooler in session mode, or DATABASE_DIRECT_URL past the pooler to the same PostgreSQL',
    );
  });
}

function connect(onNotice: (channel: string, message: string) => void, onClose: () => void): Line {
  return {
    ear: openSingle('invalidation', { onnotify: onNotice, onclose: onClose }),
    voice: openSingle('invalidation', {}, databaseAddress()),
    // A channel of this line's own: no other process is woken.
    proofs: `gatehouse_proof_${randomBytes(8).toString('hex')}`,
  };
}

async function close({ ear, voice }: Line): Promise<void> {
  await Promise.all([ear.end({ timeout: 1 }), voice.end({ timeout: 1 })]);
}
