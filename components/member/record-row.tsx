'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useLimited } from '#lib/client/frame/limited.ts';
import type { MemberView } from './head.tsx';
import { SettingRow } from './setting-row.tsx';

/** Of a patient: what the project has of them, for who asks for it. */
export function MemberRecord({ projectId, member }: MemberView) {
  const [busy, setBusy] = useState(false);
  const isLimited = useLimited();
  if (isLimited || !member.profile.reference?.startsWith('Patient/')) return null;
  async function run() {
    setBusy(true);
    try {
      const { exportRecord } = await import('#lib/client/member/export-record.ts');
      await exportRecord(projectId, member.id);
      toast({ title: 'Exported', description: 'The file is with your downloads.' });
    } catch (error) {
      toast({ title: 'Not exported', description: error instanceof Error ? error.message : undefined, tone: 'danger' });
    } finally {
      setBusy(false);
    }
  }
  const patient = member.profile.reference.slice('Patient/'.length);
  return (
    <SettingRow
      about={member.id}
      title="Health record"
      action={
        <Button busy={busy} onClick={() => void run()}>
          Export the record
        </Button>
      }
    >
      Every resource of this patient as it is now, as one file (NDJSON). That you took it stands in the activity.{' '}
      <Link
        href={`/p/${projectId}/settings/erasure?patient=${encodeURIComponent(patient)}`}
        className="text-accent-text underline underline-offset-3"
      >
        Erase the record…
      </Link>{' '}
      <Link
        href={`/p/${projectId}/activity/access?resource=${encodeURIComponent(member.profile.reference)}`}
        className="text-accent-text underline underline-offset-3"
      >
        Who can see it
      </Link>
    </SettingRow>
  );
}
