import type { Server } from 'node:http';

/** Next calls this once per process. Under `server.ts` the background parts run already. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.GATEHOUSE_SERVER) return;
  const { startBackground } = await import('#lib/http/server/background.ts');
  await startBackground();
  const { attachSockets } = await import('#lib/http/sockets/attach-sockets.ts');
  const { subscribe, unsubscribe } = await import('node:diagnostics_channel');
  // Next hands nobody its server: the first request tells.
  const began = 'http.server.request.start';
  const attach = (message: unknown) => {
    unsubscribe(began, attach);
    attachSockets((message as { server: Server }).server);
  };
  subscribe(began, attach);
}
