import { pino } from 'pino';
import { log } from '#lib/base/log.ts';

/** Everything that is logged while `run` runs, which is given the lines so far: it may have to wait for one. */
export async function logOf(run: (lines: string[]) => Promise<unknown>): Promise<string> {
  const logger = log as unknown as Record<symbol, unknown>;
  const [stream, level] = [logger[pino.symbols.streamSym], log.level];
  const lines: string[] = [];
  logger[pino.symbols.streamSym] = { write: (line: string) => lines.push(line) };
  log.level = 'debug';
  try {
    await run(lines);
  } finally {
    logger[pino.symbols.streamSym] = stream;
    log.level = level;
  }
  return lines.join('');
}
