'use client';
import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { controlClass } from '#components/ui/form/control-class.ts';
import { downloadText } from '#lib/client/api/download.ts';
import { CSV_EXAMPLE } from '#lib/client/invites/rows.ts';
import type { InviteManyState } from './use-invite-many.ts';

export type CsvDropProps = { many: InviteManyState };

/** Paste, drop or choose a CSV. */
export function CsvDrop({ many }: CsvDropProps) {
  const { text, setText, busy, problem } = many;
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);

  async function take(files: FileList | null | undefined) {
    const chosen = files?.[0];
    if (!chosen) return;
    await many.read(await chosen.text());
  }

  return (
    <div aria-busy={busy || undefined} className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-4 px-6 py-5">
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button beside it does the same. */}
        <div
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            void take(event.dataTransfer.files);
          }}
          className={cn(
            'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line-strong border-dashed px-5 py-5',
            over && 'border-accent bg-accent-soft',
          )}
        >
          <FileUp className="size-6 shrink-0 text-muted" strokeWidth={1.6} aria-hidden="true" />
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-medium">Drop a CSV here</p>
            <p className="text-[0.8125rem] text-muted">
              Up to 5,000 rows. Nothing is sent before you have seen every row.
            </p>
          </div>
          <input
            ref={file}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            aria-label="CSV file"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => {
              void take(event.target.files);
              event.target.value = '';
            }}
          />
          <Button size="sm" onClick={() => file.current?.click()}>
            Choose a file
          </Button>
          <Button size="sm" variant="ghost" onClick={() => downloadText('invites.csv', CSV_EXAMPLE)}>
            Example
          </Button>
        </div>
        <label className="flex flex-1 flex-col gap-1.5">
          <span className="font-medium">Or paste it</span>
          <textarea
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder={CSV_EXAMPLE}
            spellCheck={false}
            className={cn(
              controlClass,
              'min-h-56 flex-1 resize-none whitespace-pre px-3 py-2.5 font-mono text-xs leading-5',
            )}
          />
        </label>
        <p className="text-[0.8125rem] text-muted">
          Columns: firstName, lastName, email, resourceType, accessPolicy (its name will do), admin, externalId,
          patient, sendEmail. An empty type is a practitioner.
        </p>
      </div>
      <footer className="sticky bottom-0 flex justify-end gap-2 border-line border-t bg-raised px-6 py-4">
        <Button variant="primary" busy={busy} disabled={!many.ready} onClick={() => void many.goOn()}>
          Check the list
        </Button>
      </footer>
    </div>
  );
}
