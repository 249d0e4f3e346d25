'use client';
import { Terminal } from 'lucide-react';
import { useState } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import type { BotAnswer } from '#lib/client/bots/execute.ts';
import { isHl7 } from '#lib/client/bots/hl7/compare.ts';
import { Hl7Changes } from '../editor/input/hl7-changes.tsx';
import { toDuration } from '../facts.ts';
import { StackText } from '../run/stack-text.tsx';
import { LogLines } from './log-lines.tsx';
import type { BotRunner } from './use-bot-runner.ts';

/** The last answer and what the bot logged on the way to it. */
export function RunOutput({ projectId, runner }: OutputProps) {
  const { answer, previous, running, failure, record } = runner;
  const [view, setView] = useState<'output' | 'changes' | 'logs'>('output');
  const before = answer && previous && isHl7(answer.body) && isHl7(previous.body) ? previous.body : undefined;
  const logs = record?.logs ?? [];
  return (
    <Card className="flex min-h-56 flex-1 flex-col overflow-hidden">
      <div className="flex h-11 shrink-0 items-center gap-1 border-line border-b bg-sunken/60 pr-2 pl-2">
        <ViewButton
          label="Output"
          current={view === 'output' || (view === 'changes' && before === undefined)}
          onPress={() => setView('output')}
        />
        {before === undefined ? null : (
          <ViewButton label="Changes" current={view === 'changes'} onPress={() => setView('changes')} />
        )}
        <ViewButton
          label={record ? `Logs (${logs.length})` : 'Logs'}
          current={view === 'logs'}
          onPress={() => setView('logs')}
        />
        <div role="status" className="ml-auto flex items-center gap-2 pr-1 text-muted text-xs tabular-nums">
          {running ? <Spinner /> : null}
          {running ? 'Running' : answer && !failure ? <AnswerFacts answer={answer} /> : null}
        </div>
        {answer?.body && !failure && view === 'output' ? <CopyButton value={answer.body} label="Copy output" /> : null}
      </div>
      {failure ? (
        <Alert tone="danger" title="No answer" className="m-3">
          {failure.message}
        </Alert>
      ) : view === 'logs' ? (
        <Logs runner={runner} />
      ) : view === 'changes' && answer && before !== undefined ? (
        <Hl7Changes before={before} after={answer.body} />
      ) : (
        <Output projectId={projectId} runner={runner} />
      )}
    </Card>
  );
}

function ViewButton({ label, current, onPress }: { label: string; current: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={current}
      onClick={onPress}
      className="h-8 rounded-md px-2.5 font-medium text-[0.8125rem] text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card aria-pressed:ring-1 aria-pressed:ring-line"
    >
      {label}
    </button>
  );
}

function AnswerFacts({ answer }: { answer: BotAnswer }) {
  return (
    <>
      <Badge tone={answer.error ? 'danger' : 'good'}>{answer.status}</Badge>
      <span>{toDuration(answer.durationMs)}</span>
    </>
  );
}

type OutputProps = { projectId: string; runner: BotRunner };

function Output({ projectId, runner: { answer, record, running: stale } }: OutputProps) {
  if (!answer)
    return <Nothing busy={stale}>{stale ? 'Waiting for the bot' : 'Run the bot to see its answer here.'}</Nothing>;
  return (
    <div className="min-h-0 flex-1 overflow-auto" aria-busy={stale}>
      {answer.error ? (
        <Alert tone="danger" title={answer.error.message} className="m-3">
          {record?.message && record.message !== answer.error.message ? (
            <pre className="mt-1 whitespace-pre-wrap font-mono text-xs">
              <StackText projectId={projectId} botId={record.bot.id} text={record.message} />
            </pre>
          ) : null}
          {answer.requestId ? (
            <p className="mt-1 text-xs">
              Request <code className="font-mono">{answer.requestId}</code>
            </p>
          ) : null}
        </Alert>
      ) : (
        <section aria-label="Output">
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
            tabIndex={0}
            className="whitespace-pre-wrap break-words p-4 font-mono text-[0.8125rem] leading-5 focus-visible:-outline-offset-2"
          >
            {toText(answer) || <span className="text-muted">The answer is empty.</span>}
          </pre>
        </section>
      )}
    </div>
  );
}

function Logs({ runner: { answer, record } }: { runner: BotRunner }) {
  if (!answer) return <Nothing>What the bot logs shows here.</Nothing>;
  if (record === undefined) return <Nothing>Fetching the logs</Nothing>;
  if (record === null) return <Nothing>The record of this run is late. It will stand under Runs.</Nothing>;
  if (record.logs.length === 0) return <Nothing>This run logged nothing.</Nothing>;
  return (
    <div className="min-h-0 flex-1 overflow-auto">
      <LogLines logs={record.logs} />
    </div>
  );
}

function Nothing({ busy = false, children }: { busy?: boolean; children: string }) {
  return (
    <p
      aria-busy={busy || undefined}
      className="flex flex-1 flex-col items-center justify-center gap-2 p-6 text-center text-muted"
    >
      <Terminal className="size-5 text-faint" aria-hidden="true" />
      {children}
    </p>
  );
}

function toText({ body, contentType }: BotAnswer): string {
  if (!contentType.includes('json')) return body.replaceAll('\r', '\n');
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
