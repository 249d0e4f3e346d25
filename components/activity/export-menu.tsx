'use client';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import type { ActivitySearch } from '#lib/client/activity/activity.ts';
import type { ExportFormat } from '#lib/client/activity/export-activity.ts';

export type ExportMenuProps = { projectId: string; search: ActivitySearch };

/** What the filters leave, all pages of it, as a file. Says how far it has come, and can be stopped. */
export function ExportMenu({ projectId, search }: ExportMenuProps) {
  const [rows, setRows] = useState<number>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  async function run(format: ExportFormat) {
    const controller = new AbortController();
    stopping.current = controller;
    const { signal } = controller;
    setRows(0);
    try {
      const { exportActivity } = await import('#lib/client/activity/export-activity.ts');
      await exportActivity({ projectId, search, format, came: setRows, signal });
      toast({ title: 'Exported', description: 'The file is with your downloads.' });
    } catch (error) {
      if (signal.aborted) return;
      toast({ title: 'Not exported', description: error instanceof Error ? error.message : undefined, tone: 'danger' });
    } finally {
      setRows(undefined);
    }
  }

  if (rows !== undefined) {
    return (
      <div className="flex items-center gap-3">
        <span role="status" className="text-muted text-sm tabular-nums">
          {rows.toLocaleString('en')} entries
        </span>
        <Button onClick={() => stopping.current?.abort()}>Stop the export</Button>
      </div>
    );
  }
  return (
    <MenuButton
      trigger={
        <button type="button" className={buttonClass({})}>
          <Download aria-hidden="true" />
          Export
        </button>
      }
      entries={() => [
        { label: 'CSV, for a spreadsheet', onSelect: () => void run('csv') },
        { label: 'NDJSON, FHIR AuditEvents', onSelect: () => void run('ndjson') },
        { label: 'Chain, to be verified', onSelect: () => void run('chain') },
        'line',
        { label: 'Verify the log…', href: `/p/${projectId}/activity/verify` },
        { label: 'Who can see a record…', href: `/p/${projectId}/activity/access` },
      ]}
    />
  );
}
