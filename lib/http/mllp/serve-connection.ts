import { once } from 'node:events';
import type { Socket } from 'node:net';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { isFrom } from '#lib/domain/bounds/within-bounds.ts';
import type { MessageRunner } from '#lib/domain/hl7-feeds/run-messages.ts';
import { encodeHl7 } from '#lib/protocol/hl7/encode.ts';
import { answersOf } from '#lib/protocol/hl7/mllp/answers-of.ts';
import { createFrameReader, type Frame, toFrame } from '#lib/protocol/hl7/mllp/frame-reader.ts';
import { headerOf } from '#lib/protocol/hl7/mllp/read-message.ts';
import { contentLimit } from '../door/read-body.ts';
import { answerMessage, refuse } from './answer-message.ts';
import { createHolder } from './held-bytes.ts';
import { type Line, noteFault } from './line.ts';

/** Of one feed. */
const MOST_CONNECTIONS = 50;
/** One after the other that are no messages. */
const MOST_NOTHING = 3;
const WRITE_MS = 30_000;
const ALIVE_MS = 60_000;

/**
 * Messages of one sender, one after the other: what comes meanwhile waits on their side. Whoever is too slow, too large or no sender of HL7 v2 is sent away.
 */
export function serveConnection(socket: Socket, line: Line, runner: MessageRunner): void {
  const { remoteAddress = '' } = socket;
  socket.on('error', (err) => log.debug({ err }, 'a connection of HL7 v2 broke'));
  const { addresses } = line.feed;
  const isAllowed = addresses.length === 0 || isFrom({ addresses }, remoteAddress);
  if (!isAllowed || line.connections.size >= MOST_CONNECTIONS) {
    sendAway(
      isAllowed ? `More than ${MOST_CONNECTIONS} connections` : 'Somebody called from an address that is not allowed',
    );
    return;
  }
  const reader = createFrameReader(contentLimit());
  let isClosing = false;
  let isAtWork = false;
  let hasSaidAll = false;
  let leaving: NodeJS.Timeout | undefined;
  let nothing = 0;
  let late: NodeJS.Timeout | undefined;
  /** Once what is being answered is answered. */
  const end = () => {
    isClosing = true;
    if (!isAtWork) socket.destroySoon();
  };
  const held = createHolder(line.feed.projectId, () => sendAway('Too much was sent at once'));
  line.connections.add(end);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, ALIVE_MS);
  socket.setTimeout(pace.mllpIdleMs, () => !isAtWork && socket.destroy());
  socket.once('close', () => {
    line.connections.delete(end);
    clearTimeout(late);
    clearTimeout(leaving);
    held.release();
  });
  socket.on('end', () => {
    hasSaidAll = true;
    // It may be gone, and nothing tells: whoever is there hears an answer that comes soon.
    if (isAtWork) leaving = setTimeout(() => socket.destroy(), pace.mllpLeavingMs).unref();
    else socket.destroySoon();
  });
  socket.on('data', (chunk) => {
    const frames = reader.push(chunk as Buffer);
    if (frames.length === 0) return watch();
    socket.pause();
    isAtWork = true;
    held.hold(reader.pending() + frames.reduce((sum, { bytes }) => sum + bytes.length, 0), true);
    void answerAll(frames)
      .catch((err: unknown) => {
        log.warn({ err }, 'a connection of HL7 v2 was given up');
        socket.destroy();
      })
      .finally(() => {
        isAtWork = false;
        if (isClosing || hasSaidAll) socket.destroySoon();
        else if (!socket.destroyed) {
          watch();
          socket.resume();
        }
      });
  });

  /** How much it holds, and how long it takes. */
  function watch(): void {
    held.hold(reader.pending(), false);
    if (reader.pending() === 0) {
      clearTimeout(late);
      late = undefined;
    } else late ??= setTimeout(() => sendAway('A message did not end in time'), pace.mllpMessageMs).unref();
  }

  async function answerAll(frames: Frame[]): Promise<void> {
    clearTimeout(late);
    late = undefined;
    for (const frame of frames) {
      if (isClosing || socket.destroyed) return;
      await answer(frame);
    }
  }

  async function answer({ kind, bytes }: Frame): Promise<void> {
    if (kind === 'garbage') return sendAway('Something was sent that is no HL7 v2 over MLLP');
    if (kind === 'too-large') {
      const message = headerOf(bytes);
      const asked = message ? answersOf(message) : ({ enhanced: false, accept: 'NE', application: 'AL' } as const);
      await refuse(message, asked, 'R', { code: '207', text: `At most ${contentLimit()} bytes` }, send);
      line.told.refused += 1;
      noteFault(line, 'A message was too large');
      return end();
    }
    const outcome = await answerMessage(line.feed, bytes, runner, send);
    nothing = outcome === 'nothing' ? nothing + 1 : 0;
    line.told[outcome === 'nothing' ? 'refused' : outcome] += 1;
    if (outcome === 'refused' || outcome === 'nothing')
      noteFault(line, 'A message was not taken: its sender was told why');
    if (nothing >= MOST_NOTHING) end();
  }

  async function send(text: string): Promise<void> {
    if (socket.destroyed || socket.write(toFrame(encodeHl7(text).bytes))) return;
    await once(socket, 'drain', { signal: AbortSignal.timeout(WRITE_MS) });
  }

  function sendAway(reason: string): void {
    noteFault(line, reason);
    socket.destroy();
  }
}
