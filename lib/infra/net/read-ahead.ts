import type { IncomingMessage } from 'node:http';

const MOST_AHEAD = 1024 * 1024;

/**
 * The body as it comes, up to a MiB of it before it is asked for. Where the connection breaks, first what came before that: Node's own iterator drops what
 * was not read yet.
 */
export function readAhead(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const ahead: Ahead = { waiting: [], bytes: 0, end: undefined, wake: () => {} };
  const finish = (error?: unknown) => {
    ahead.end ??= error === undefined ? {} : { error };
    ahead.wake();
  };
  // At once, and not when the first piece is asked for: it may have failed by then.
  response.on('error', finish);
  response.on('end', () => finish());
  response.on('close', () => finish(new Error('The connection was closed')));
  response.on('data', (chunk: Buffer) => {
    ahead.waiting.push(chunk);
    ahead.bytes += chunk.length;
    if (ahead.bytes > MOST_AHEAD) response.pause();
    ahead.wake();
  });
  if (response.destroyed) finish(response.errored ?? new Error('The connection was closed'));
  return piecesOf(response, ahead);
}

type Ahead = { waiting: Buffer[]; bytes: number; end: { error?: unknown } | undefined; wake: () => void };

async function* piecesOf(response: IncomingMessage, ahead: Ahead): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const chunk = ahead.waiting.shift();
      if (chunk) {
        ahead.bytes -= chunk.length;
        if (response.isPaused() && ahead.bytes <= MOST_AHEAD) response.resume();
        yield chunk;
      } else if (ahead.end) {
        if ('error' in ahead.end) throw ahead.end.error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          ahead.wake = resolve;
        });
      }
    }
  } finally {
    response.destroy();
  }
}
