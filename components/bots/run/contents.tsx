'use client';
import { CopyButton } from '#components/ui/copy-button.tsx';
import type { RunContent } from '#lib/protocol/bots/runs/bot-runs.ts';
import { toSize } from '../facts.ts';
import { RunPart } from './part.tsx';

const KINDS: Record<RunContent['kind'], string> = { json: 'JSON', text: 'Text', form: 'Form', hl7: 'HL7 v2' };

export type RunContentsProps = {
  title: string;
  content: RunContent | null;
  isMasked: boolean;
  /** What there is to say of nothing. */
  none: string;
};

/** What went into a run, or came out of it. */
export function RunContents({ title, content, isMasked, none }: RunContentsProps) {
  if (!content)
    return (
      <RunPart title={title}>
        <p className="text-muted">{none}</p>
      </RunPart>
    );
  const text = content.text === null ? undefined : toReadable(content.kind, content.text);
  return (
    <RunPart title={title} note={`${KINDS[content.kind]}, ${toSize(content.bytes)}`}>
      {text === undefined ? (
        <p className="text-muted">{toAbsence(content, isMasked)}</p>
      ) : (
        <div className="relative">
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
            tabIndex={0}
            className="max-h-96 overflow-auto whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken/60 p-3 pr-12 font-mono text-xs leading-5"
          >
            {text || <span className="text-muted">Empty.</span>}
          </pre>
          {text ? (
            <span className="absolute top-1 right-1">
              <CopyButton value={text} label={`Copy ${title.toLowerCase()}`} />
            </span>
          ) : null}
        </div>
      )}
      {content.isCut && text !== undefined ? (
        <p className="mt-2 text-[0.8125rem] text-muted">Only the beginning was kept.</p>
      ) : null}
    </RunPart>
  );
}

function toAbsence({ isKept }: RunContent, isMasked: boolean): string {
  if (!isKept) return 'This was not kept.';
  return isMasked ? 'This cannot be masked: reveal the run to see it.' : 'There is nothing to show.';
}

function toReadable(kind: RunContent['kind'], text: string): string {
  if (kind !== 'json') return text.replaceAll(/\r\n?/g, '\n');
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
