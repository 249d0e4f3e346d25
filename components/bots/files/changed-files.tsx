'use client';
import { cn } from '#components/ui/cn.ts';
import { Badge } from '#components/ui/display/badge.tsx';
import type { FileChange } from '#lib/client/bots/files/compare-files.ts';

const TONES = { added: 'good', removed: 'danger', changed: 'neutral' } as const;

export type ChangedFilesProps = {
  label: string;
  changes: readonly FileChange[];
  shown: string;
  onShow: (filename: string) => void;
};

/** Which files were added, removed and changed; the one that is pressed is shown beside. */
export function ChangedFiles({ label, changes, shown, onShow }: ChangedFilesProps) {
  return (
    <ul aria-label={label} className="max-h-44 overflow-y-auto rounded-lg border border-line py-1">
      {changes.map(({ filename, kind }) => (
        <li key={filename}>
          <button
            type="button"
            aria-pressed={filename === shown}
            onClick={() => onShow(filename)}
            className={cn(
              'flex min-h-8 w-full items-center gap-2 px-3 py-1 text-left hover:bg-hover focus-visible:-outline-offset-2',
              filename === shown ? 'bg-accent-soft' : '',
            )}
          >
            <span className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{filename}</span>
            <Badge tone={TONES[kind]}>{kind}</Badge>
          </button>
        </li>
      ))}
    </ul>
  );
}
