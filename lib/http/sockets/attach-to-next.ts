import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { attachSockets } from './attach-sockets.ts';

const BEGAN = 'http.server.request.start';

/** Sockets on the server that Next has made in this process, and hands nobody: its first request tells. */
export function attachToNext(): void {
  const attach = (message: unknown) => {
    unsubscribe(BEGAN, attach);
    attachSockets((message as { server: Server }).server);
  };
  subscribe(BEGAN, attach);
}
