import { Socket } from 'node:net';
import { vi } from 'vitest';

/** Those that are connected from now on, until mocks are restored. */
export function watchSockets(): Socket[] {
  const connected: Socket[] = [];
  const { connect } = Socket.prototype;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args) {
    connected.push(this);
    return connect.apply(this, args as never);
  });
  return connected;
}

/** As the network loses it: the error comes before the end. */
export function lose(socket: Socket, code = 'ECONNRESET'): void {
  socket.destroy(Object.assign(new Error('lost'), { code, syscall: 'read' }));
}
