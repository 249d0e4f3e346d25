'use client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import type { MemberSearch } from '#lib/client/members/members.ts';

export type ExportButtonProps = { projectId: string; search: MemberSearch; names: Map<string, string> };

/** Everyone in the view as it is filtered now, all pages of it, as CSV. */
export function ExportButton({ projectId, search, names }: ExportButtonProps) {
  const [busy, setBusy] = useState(false);

  async function run() {
    setBusy(true);
    try {
      const [{ exportMembers }, { downloadText }] = await Promise.all([
        import('#lib/client/members/export-members.ts'),
        import('#lib/client/api/download.ts'),
      ]);
      downloadText(
        'members.csv',
        await exportMembers(projectId, search, (reference) => names.get(reference) ?? reference),
      );
    } catch (error) {
      toast({ title: 'Not exported', description: error instanceof Error ? error.message : undefined, tone: 'danger' });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button busy={busy} onClick={() => void run()}>
      <Download aria-hidden="true" />
      <span className="max-sm:sr-only">Export</span>
    </Button>
  );
}
