import { pino } from 'pino';

/**
 * One write for many lines: a write each costs a tenth of a request. What is waiting goes out after `periodicFlush` ms, before the
 * process ends, and at once with a fatal line.
 */
const stdout = pino.destination({ minLength: 8192, periodicFlush: 100, sync: true });
process.on('exit', () => stdout.flushSync());

/** JSON lines on stdout. Ids, counts and codes only: no health data, tokens, addresses or names. */
export const log = pino(
  {
    level: process.env.LOG_LEVEL ?? 'info',
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Errors carry SQL parameters and request bodies in their properties: log name, message and stack only.
    serializers: { err: (err: unknown) => toPlainError(err) },
  },
  stdout,
);

function toPlainError(err: unknown): unknown {
  if (!(err instanceof Error)) return { type: typeof err };
  const { name, cause } = err;
  const code = 'code' in err ? String(err.code) : undefined;
  // Only the frames: a message may have lines of its own (Drizzle's has the parameters).
  const frames = err.stack
    ?.split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .slice(0, 8);
  return { name, code, stack: frames?.join('\n'), ...(cause instanceof Error && { cause: toPlainError(cause) }) };
}
