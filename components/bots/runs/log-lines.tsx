import { cn } from '#components/ui/cn.ts';
import type { LogLine } from '#lib/protocol/bots/runs/bot-runs.ts';

const TONES: Record<string, string> = { error: 'text-danger-text', warn: 'text-warn-text', debug: 'text-muted' };

/** What a run wrote to its console, in order. */
export function LogLines({ logs }: { logs: readonly LogLine[] }) {
  return (
    <ol
      aria-label="Log lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
      tabIndex={0}
      className="divide-y divide-line font-mono text-xs focus-visible:-outline-offset-2"
    >
      {logs.map(({ level, text }, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a finished run never move.
        <li key={line} className="flex gap-3 px-4 py-1.5 leading-5">
          <span className={cn('w-10 shrink-0 select-none text-muted', TONES[level])}>{level}</span>
          <span className={cn('min-w-0 whitespace-pre-wrap break-words', TONES[level])}>{text}</span>
        </li>
      ))}
    </ol>
  );
}
