/** Next calls this once per process. Under `server.ts` the background parts run already. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.GATEHOUSE_SERVER) return;
  const { startBackground } = await import('#lib/http/server/background.ts');
  await startBackground();
  const { attachToNext } = await import('#lib/http/sockets/attach-to-next.ts');
  attachToNext();
}
