'use client';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useLimited } from '#lib/client/frame/limited.ts';
import { SettingsCard } from './settings-card.tsx';

type Progress = { lines: number; versions: number };

/** All of the project as one file. Says how far it has come, and can be stopped. */
export function ExportCard({ projectId }: { projectId: string }) {
  const [progress, setProgress] = useState<Progress>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  if (useLimited()) return null;

  async function run() {
    const controller = new AbortController();
    stopping.current = controller;
    const { signal } = controller;
    setProgress({ lines: 0, versions: 0 });
    try {
      const { exportProject } = await import('#lib/client/settings/export-project.ts');
      await exportProject({ projectId, came: (lines, versions) => setProgress({ lines, versions }), signal });
      toast({ title: 'Exported', description: 'The file is with your downloads.' });
    } catch (error) {
      if (signal.aborted) return;
      toast({ title: 'Not exported', description: error instanceof Error ? error.message : undefined, tone: 'danger' });
    } finally {
      setProgress(undefined);
    }
  }

  return (
    <SettingsCard
      id="export"
      title="Export everything"
      description="Every resource with its history, members, policies, clients and bots, as one file (NDJSON). It has no passwords and no secrets."
    >
      {progress ? (
        <div className="flex flex-wrap items-center gap-3">
          <span role="status" className="text-muted text-sm tabular-nums">
            {progress.lines.toLocaleString('en')} lines
            {progress.versions > 0 ? ` of about ${progress.versions.toLocaleString('en')}` : ''}
          </span>
          <Button onClick={() => stopping.current?.abort()}>Stop the export</Button>
        </div>
      ) : (
        <Button onClick={() => void run()}>
          <Download aria-hidden="true" />
          Export the project
        </Button>
      )}
    </SettingsCard>
  );
}
