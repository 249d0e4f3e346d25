import { newId } from '#lib/base/ids.ts';
import type { Actor } from '#lib/domain/access/context.ts';
import { recordRun } from '#lib/domain/runs/record/record-run.ts';

/** A process that is killed as soon as it could have answered: it has recorded so many runs of this bot, the first of which it has begun then. */
const [, , projectId = newId(), botId = newId(), runs = '1', answers = 'last', startedAt] = process.argv;
const caller = { projectId, profile: 'Practitioner/1' } as Actor;
const ctx = { requestId: 'r', remoteAddress: '', userAgent: '' };
const logs = [{ level: 'log' as const, text: 'said' }];
const result = { ok: true as const, value: { kind: 'null' as const, text: '' }, logs, calls: [], durationMs: 1 };
for (let run = 0; run < Number(runs); run++) {
  const begun = run === 0 && startedAt ? new Date(startedAt) : new Date();
  await recordRun(
    {
      ...{ ctx, botId, version: 1, caller, startedAt: begun, trigger: 'http', result },
      ...{ input: null, isKept: true, traceId: 'r' },
    },
    { isAnsweredFirst: answers === 'first' },
  );
}
process.kill(process.pid, 'SIGKILL');
