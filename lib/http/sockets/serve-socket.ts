import type { WebSocket } from 'ws';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import type { Notice } from '#lib/domain/store/feeds/notices.ts';
import type { Row } from '#lib/domain/store/row.ts';
import { bindListener } from '#lib/domain/subscriptions/bind-listener.ts';
import { type Binding, readBindingToken } from '#lib/domain/subscriptions/binding-token.ts';
import { findListener, type ListenerPlace } from '#lib/domain/subscriptions/find-listener.ts';
import { keepHeld, letGo } from '#lib/domain/subscriptions/keep-held.ts';
import { signOfLife, tellListener } from '#lib/domain/subscriptions/tell-listener.ts';
import { cacheIsLive } from '#lib/infra/db/invalidation.ts';
import { countNotification } from '#lib/infra/metrics/count.ts';
import { toOutcome } from '#lib/protocol/fhir/outcome.ts';
import { add, type Bound, remove } from './hub.ts';
import { places } from './places.ts';
import { readMessage } from './read-message.ts';

/** As the peer's; so often a socket is asked whether it lives, too. */
const BEAT_MS = 10_000;
/** So many beats between two words that it still listens (listening.ts). */
const KEEP_BEATS = 30;
/** So many beats without anything that is listened to. */
const IDLE_BEATS = 30;
/** Of one socket, as of one member (rules/subscription.ts). */
const MOST_BOUND = 100;
/** Of what is asked in vain. */
const MOST_FAULTS = 50;
/** Messages that wait to be answered. */
const MOST_ASKED = 200;
/** Changes that wait to be told. */
const MOST_WAITING = 10_000;
/** So many of them are read together. */
const READ_AHEAD = 8;
/** Bytes that wait for who reads slowly: from then on they are dropped, and come again to read for themselves. */
const MOST_UNSENT = 8 * 1024 * 1024;

/** RFC 6455 §7.4. */
export const CLOSE = { goingAway: 1001, policy: 1008, error: 1011, restart: 1012, later: 1013 } as const;

type Waiting = { bound: Bound; notice: Notice; read: () => Promise<Row | undefined> };

/**
 * One client of the peer's protocol: `bind-with-token`, `unbind-from-token`, `ping`. What it is told it may read at that moment; when something
 * was missed, or may not be told any more, the socket is closed, and the client asks anew for what it may have.
 */
export function serveSocket(socket: WebSocket, from: Pick<Ctx, 'remoteAddress' | 'origin' | 'userAgent'>): void {
  const id = newId();
  const ctx: Ctx = { requestId: id, ...from };
  const place: ListenerPlace = { remoteAddress: from.remoteAddress, origin: from.origin, socketId: id };
  const bounds = new Map<string, Bound>();
  let owner: { projectId: string; membershipId: string } | undefined;
  let answering = Promise.resolve();
  let asked = 0;
  const waiting: Waiting[] = [];
  let isTelling = false;
  let beats = 0;
  let idle = 0;
  let answers = true;
  let faults = 0;
  const beat = setInterval(onBeat, BEAT_MS).unref();

  socket.on('pong', () => {
    answers = true;
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    clearInterval(beat);
    waiting.length = 0;
    const held = [...bounds.keys()];
    for (const bound of bounds.values()) remove(bound);
    bounds.clear();
    if (owner) places.leave(owner);
    void release(held);
  });
  socket.on('message', (data, isBinary) => {
    asked += 1;
    if (isBinary || asked > MOST_ASKED) {
      end(CLOSE.policy, 'Not understood, or too much at once');
      return;
    }
    const text = data.toString();
    answering = answering
      .then(() => receive(text))
      .catch((error: unknown) => fail(error))
      .finally(() => {
        asked -= 1;
      });
  });

  async function receive(text: string): Promise<void> {
    const message = readMessage(text);
    if (message.type === 'ping') send('{"type":"pong"}');
    else if (message.type === 'unbind-from-token') await unbind(message.token);
    else await bind(message.token);
  }

  async function bind(token: string): Promise<void> {
    if (!cacheIsLive()) {
      end(CLOSE.later, 'Changes are not heard at the moment');
      return;
    }
    const about = await readBindingToken(token);
    if (bounds.size >= MOST_BOUND && !bounds.has(about.subscriptionId))
      throw new AppError('too-costly', `A socket listens to ${MOST_BOUND} subscriptions at most`);
    const { binding, listener } = await bindListener(ctx, id, token);
    const { projectId, membershipId } = listener.actor;
    if (owner && (owner.projectId !== projectId || owner.membershipId !== membershipId)) {
      await release([binding.subscriptionId], projectId);
      throw new AppError('forbidden', 'A socket is one member’s: open another');
    }
    const isOpen = socket.readyState === socket.OPEN;
    if (!isOpen || (!owner && !places.enter({ projectId, membershipId }))) {
      await release([binding.subscriptionId], projectId);
      end(CLOSE.later, 'Too many sockets are open');
      return;
    }
    owner ??= { projectId, membershipId };
    drop(binding.subscriptionId);
    const bound = toBound(binding, listener.feed);
    bounds.set(binding.subscriptionId, bound);
    add(bound);
    send(signOfLife([binding.subscriptionId], 'handshake'));
  }

  /** A token from a socket before is good, too: nobody listens to that Subscription any more. */
  async function unbind(token: string): Promise<void> {
    const { subscriptionId } = await readBindingToken(token);
    if (drop(subscriptionId)) await release([subscriptionId]);
  }

  function toBound(binding: Binding, feed: string): Bound {
    const bound: Bound = {
      binding,
      feed,
      tell(notice, read) {
        // A word of farewell would wait behind what is not read.
        if (waiting.length >= MOST_WAITING) socket.terminate();
        else waiting.push({ bound, notice, read });
        void drain();
      },
      lookAgain: () => void look(bound).catch((error: unknown) => fail(error)),
      missed: () => end(CLOSE.restart, 'Something may have been missed'),
    };
    return bound;
  }

  async function tell({ bound, notice, read }: Waiting): Promise<void> {
    const { subscriptionId } = bound.binding;
    if (bounds.get(subscriptionId) !== bound) return;
    const listener = await look(bound);
    const row = listener && (await read());
    const text = row && (await tellListener(subscriptionId, { actor: listener.actor, place }, notice, row));
    if (text === undefined) return;
    send(text);
    countNotification();
  }

  /** Ends all of it when one of them may not be listened to any more: the client asks anew. */
  async function look(bound: Bound) {
    const { binding } = bound;
    const listener = await findListener(binding, place);
    if (bounds.get(binding.subscriptionId) !== bound) return undefined;
    if (listener?.feed === bound.feed) return listener;
    // Its time alone has come: it was not taken further.
    if (binding.expiresAt <= Date.now()) {
      drop(binding.subscriptionId);
      await release([binding.subscriptionId]);
    } else {
      end(CLOSE.policy, 'What was listened to has ended, or the right to it');
    }
    return undefined;
  }

  async function drain(): Promise<void> {
    if (isTelling) return;
    isTelling = true;
    try {
      while (waiting.length > 0) {
        const some = waiting.splice(0, READ_AHEAD);
        // One that fails does so again when it is its turn.
        for (const { read } of some) read().catch(() => undefined);
        for (const one of some) await tell(one);
      }
    } catch (error) {
      fail(error);
      // What was read ahead is gone.
      end(CLOSE.restart, 'Something may have been missed');
    } finally {
      isTelling = false;
    }
  }

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MOST_UNSENT) socket.terminate();
    else socket.send(text);
  }

  function onBeat(): void {
    if (!answers) {
      socket.terminate();
      return;
    }
    answers = false;
    socket.ping();
    beats += 1;
    idle = bounds.size === 0 ? idle + 1 : 0;
    if (idle > IDLE_BEATS) end(CLOSE.policy, 'Nothing is listened to');
    if (bounds.size === 0) return;
    send(signOfLife([...bounds.keys()], 'heartbeat'));
    for (const bound of bounds.values()) bound.lookAgain();
    if (beats % KEEP_BEATS === 0 && owner)
      void keepHeld(owner.projectId, [...bounds.keys()], id).catch((error: unknown) => fail(error));
  }

  function drop(subscriptionId: string): boolean {
    const bound = bounds.get(subscriptionId);
    if (bound) remove(bound);
    return bounds.delete(subscriptionId);
  }

  async function release(ids: readonly string[], projectId = owner?.projectId): Promise<void> {
    if (!projectId || ids.length === 0) return;
    // Else it counts as listened to for some minutes more: nobody is the worse for it.
    await letGo(projectId, ids, id).catch((error: unknown) => log.warn({ err: error }, 'a socket was not let go'));
  }

  function fail(error: unknown): void {
    if (error instanceof AppError) {
      faults += 1;
      if (faults > MOST_FAULTS) end(CLOSE.policy, 'Too much was asked in vain');
      else send(JSON.stringify(toOutcome(error)));
      return;
    }
    log.warn({ err: error, socket: id }, 'a socket failed');
    end(CLOSE.error, 'An error of the server');
  }

  function end(code: number, reason: string): void {
    socket.close(code, reason);
  }
}
