'use client';
import { FileUp, ShieldCheck } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useId, useRef, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { controlClass } from '#components/ui/form/control-class.ts';
import { verifyLog } from '#lib/client/activity/verify-log.ts';
import type { ChainReport } from '#lib/protocol/audit/verify-chain.ts';
import { HeadCard } from './head-card.tsx';
import { ReportCard } from './report-card.tsx';

/** Whether the log of this project is whole, as this browser finds it by its own arithmetic. */
export function VerifyLog({ projectId }: { projectId: string }) {
  const [kept, setKept] = useState('');
  const [rows, setRows] = useState<number>();
  const [report, setReport] = useState<ChainReport>();
  const [error, setError] = useState<Error>();
  const stopping = useRef<AbortController>(undefined);
  const chosen = useRef<HTMLInputElement>(null);
  const keptId = useId();
  useEffect(() => {
    setBreadcrumbLeaf('Verify');
    return () => {
      setBreadcrumbLeaf(undefined);
      stopping.current?.abort();
    };
  }, []);

  async function run(file?: File) {
    const controller = new AbortController();
    stopping.current = controller;
    const { signal } = controller;
    setRows(0);
    setReport(undefined);
    setError(undefined);
    try {
      setReport(await verifyLog({ projectId, file, kept, came: setRows, signal }));
    } catch (failure) {
      if (!signal.aborted) setError(failure as Error);
    } finally {
      setRows(undefined);
    }
  }

  const busy = rows !== undefined;
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <PageHeading
        title="Verify the audit log"
        actions={
          <Link href={`/p/${projectId}/activity`} className="text-accent-text text-sm underline underline-offset-3">
            Back to the activity
          </Link>
        }
      >
        Each entry carries the hash of the one before. This browser computes them all, and looks whether the signed
        heads fit.
      </PageHeading>
      <Card className="flex flex-col gap-4 p-5">
        <label htmlFor={keptId} className="font-medium text-sm">
          Heads that you kept <span className="font-normal text-muted">(not required)</span>
        </label>
        <textarea
          id={keptId}
          value={kept}
          rows={3}
          spellCheck={false}
          aria-describedby={`${keptId}-why`}
          onChange={(event) => setKept(event.target.value)}
          className={cn(controlClass, 'h-auto w-full py-2 font-mono text-xs')}
        />
        <p id={`${keptId}-why`} className="text-[0.8125rem] text-muted">
          With a head from an earlier day you see also whether the newest entries, or all of them, were replaced since.
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="primary" busy={busy} onClick={() => void run()}>
            <ShieldCheck aria-hidden="true" />
            Verify the log as it is now
          </Button>
          <input
            ref={chosen}
            type="file"
            accept=".ndjson,application/x-ndjson"
            aria-label="Exported chain"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file) void run(file);
              event.target.value = '';
            }}
          />
          <Button disabled={busy} onClick={() => chosen.current?.click()}>
            <FileUp aria-hidden="true" />
            Verify a file
          </Button>
          <span role="status" className="text-muted text-sm tabular-nums">
            {busy ? `${rows.toLocaleString('en')} entries looked at` : ''}
          </span>
        </div>
      </Card>
      {error === undefined ? null : (
        <Card>
          <ErrorState error={error} what="the chain of the audit log" onRetry={() => void run()} />
        </Card>
      )}
      {report ? <ReportCard report={report} /> : null}
      <HeadCard projectId={projectId} />
    </div>
  );
}
