import { pino } from 'pino';

/** JSON lines on stdout. Ids, counts and codes only: no health data, tokens, addresses or names. */
export const log = pino({
  level: process.env.LOG_LEVEL ?? 'info',
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  // Errors carry SQL parameters and request bodies in their properties: log name, message and stack only.
  serializers: { err: (err: unknown) => toPlainError(err) },
});

function toPlainError(err: unknown): unknown {
  if (!(err instanceof Error)) return { type: typeof err };
  const code = 'code' in err ? String(err.code) : undefined;
  return { name: err.name, code, stack: err.stack?.split('\n').slice(1, 8).join('\n') };
}
