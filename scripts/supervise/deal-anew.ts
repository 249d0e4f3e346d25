import type { Worker } from 'node:cluster';

type Message = { cmd?: string; act?: string; seq?: number };
type Handle = { close(): void };
type Send = (message: Message, handle?: Handle, ...more: unknown[]) => boolean;

/**
 * A connection that a process was given, and had not taken when it was killed, is held open by node:cluster for ever: the client would wait
 * for an answer that nobody gives. It is dealt to another process, as if this one had refused it; or closed when there is none. A process is
 * given one at a time, and both do nothing to one that it has taken.
 */
export function dealAnew(worker: Worker, areOthers: () => boolean): void {
  let given: { seq?: number; handle?: Handle } = {};
  const child = worker.process as unknown as { send: Send };
  const send = child.send.bind(child);
  child.send = (message, handle, ...more) => {
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn') given = { seq: message.seq, handle };
    return send(message, handle, ...more);
  };
  // What is written to one that has just been killed.
  worker.on('error', () => undefined);
  // Its channel is not seen to close while a connection is on its way there.
  worker.once('exit', () => {
    if (worker.isConnected()) worker.process.emit('disconnect');
    if (!areOthers()) given.handle?.close();
    else
      worker.process.emit(
        'internalMessage' as never,
        { cmd: 'NODE_CLUSTER', ack: given.seq, accepted: false } as never,
      );
  });
}
