'use client';
import { Button } from '#components/ui/button.tsx';
import type { LanguageState } from './language/start-language.ts';

const STATES: Record<LanguageState, string> = {
  loading: 'Loading types…',
  ready: 'No problems',
  failed: 'Types could not be loaded',
};

export type LanguageBarProps = {
  state: LanguageState;
  /** How many things the types say are wrong. */
  problems: number;
  onShow: () => void;
  onRetry: () => void;
};

/** Below the code: how to leave it, and what the types say. Always as high, whatever it says. */
export function LanguageBar({ state, problems, onShow, onRetry }: LanguageBarProps) {
  const isWrong = state === 'ready' && problems > 0;
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 border-line border-t px-4 text-muted text-xs">
      <p className="mr-auto truncate max-sm:hidden">Tab indents. Esc, then Tab leaves the editor.</p>
      <p role="status" className="truncate max-sm:mr-auto">
        {isWrong ? `${problems} ${problems === 1 ? 'problem' : 'problems'}` : STATES[state]}
      </p>
      {isWrong ? (
        <Button size="sm" variant="ghost" className="-mr-2.5 h-7 px-2 text-xs" onClick={onShow}>
          Show
        </Button>
      ) : null}
      {state === 'failed' ? (
        <Button size="sm" variant="ghost" className="-mr-2.5 h-7 px-2 text-xs" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
