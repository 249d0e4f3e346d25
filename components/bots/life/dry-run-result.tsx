import { Badge } from '#components/ui/display/badge.tsx';
import type { Difference, DryRun } from '#lib/protocol/bots/dry-run.ts';
import { LazyDiff } from './lazy-diff.tsx';

const ACTIONS = { create: 'Would create', update: 'Would change', delete: 'Would delete' };

/** What a dry run would have done and answered: each resource that it would have changed, as its difference. */
export function DryRunResult({ run: { ok, output, failure, writes, logs, durationMs } }: { run: DryRun }) {
  return (
    <section aria-label="Dry run" className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={ok ? 'good' : 'danger'} dot>
          {ok ? 'Would end well' : 'Would fail'}
        </Badge>
        <span className="text-muted text-xs">{durationMs} ms</span>
      </p>
      <pre className="max-h-40 overflow-auto whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken/50 p-3 font-mono text-xs">
        {failure ? failure.message : (output?.text ?? '') || 'It answers nothing.'}
      </pre>
      {logs.length > 0 ? (
        <details>
          <summary className="cursor-pointer text-muted">
            {logs.length === 1 ? '1 line' : `${logs.length} lines`} of log
          </summary>
          <pre className="mt-2 max-h-40 overflow-auto whitespace-pre-wrap break-words font-mono text-xs">
            {logs.map(({ level, text }) => `${level}: ${text}`).join('\n')}
          </pre>
        </details>
      ) : null}
      {writes.length === 0 ? (
        <p className="text-muted">It would change nothing.</p>
      ) : (
        <ul aria-label="What it would change" className="flex flex-col gap-2">
          {writes.map((write) => (
            <li key={write.target} className="rounded-lg border border-line">
              <p className="border-line border-b px-3 py-2">
                {ACTIONS[write.action]} <code className="font-mono text-xs">{toName(write)}</code>
              </p>
              {write.tooLong ? (
                <p className="px-3 py-2 text-muted">It is too long to be shown.</p>
              ) : (
                <div className="max-h-64 overflow-auto">
                  <LazyDiff
                    label={`${ACTIONS[write.action]} ${toName(write)}`}
                    before={toText(write.before)}
                    after={toText(write.after)}
                  />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The id of one that does not stay says nothing. */
function toName({ action, target }: Difference): string {
  return action === 'create' ? (target.split('/')[0] ?? target) : target;
}

function toText(resource: unknown): string {
  return resource === null || resource === undefined ? '' : JSON.stringify(resource, null, 2);
}
