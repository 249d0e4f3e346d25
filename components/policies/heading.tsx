'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { Tooltip } from '#components/ui/overlay/tooltip.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { type StoredPolicy, useDeletePolicy } from '#lib/client/policies/policies.ts';
import { sayPolicy } from '#lib/protocol/access-policies/say-policy.ts';
import { CopyDialog } from './copy-dialog.tsx';
import type { PolicyEditor } from './editor/use-policy-editor.ts';

export type PolicyHeadingProps = {
  projectId: string;
  stored: StoredPolicy | undefined;
  editor: PolicyEditor;
  onSave: () => void;
};

export function PolicyHeading({ projectId, stored, editor, onSave }: PolicyHeadingProps) {
  const mod = useModKey();
  const [removing, setRemoving] = useState(false);
  const [copying, setCopying] = useState(false);
  const remove = useDeletePolicy(projectId);
  const router = useRouter();
  useSaveKey(onSave);
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1 className="font-semibold text-[1.375rem] leading-7 tracking-[-0.02em]">
          {stored ? stored.name || 'Unnamed policy' : 'New access policy'}
        </h1>
        <p className="mt-1 max-w-2xl text-muted">
          {editor.policy ? sayPolicy(editor.policy) : 'Not readable as it stands'}
        </p>
        {stored ? (
          <p className="mt-1 flex min-w-0 items-center gap-1 text-muted text-xs">
            <span className="shrink-0">Id</span>
            <code className="min-w-0 truncate font-mono">{stored.id}</code>
            <CopyButton value={stored.id} label="Copy id" />
          </p>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        {stored ? (
          <Link
            href={`/p/${projectId}/access-test?policy=${encodeURIComponent(`AccessPolicy/${stored.id}`)}`}
            className={buttonClass()}
          >
            Test access
          </Link>
        ) : null}
        {stored ? <Button onClick={() => setCopying(true)}>Copy to…</Button> : null}
        {stored ? <Button onClick={() => setRemoving(true)}>Delete…</Button> : null}
        {stored && editor.dirty ? <Button onClick={editor.discard}>Discard changes</Button> : null}
        <Tooltip text={`${mod} S`}>
          <Button variant="primary" busy={editor.busy} disabled={!editor.dirty} onClick={onSave}>
            {stored ? 'Save' : 'Create policy'}
          </Button>
        </Tooltip>
      </div>
      {stored && copying ? (
        <CopyDialog projectId={projectId} policyId={stored.id} onClose={() => setCopying(false)} />
      ) : null}
      {stored && removing ? (
        <ConfirmDialog
          danger
          title={`Delete ${stored.name || 'this policy'}?`}
          confirm="Delete the policy"
          onConfirm={async () => {
            await remove.mutateAsync(stored.id);
            editor.discard();
            router.replace(`/p/${projectId}/access-policies`);
            toast({ title: 'The policy is deleted' });
          }}
          onClose={() => setRemoving(false)}
        >
          <p>
            A policy that anybody has, or that another one is based on, is not deleted:{' '}
            <strong>take it from them first</strong>. The refusal says who they are.
          </p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

/** A toast takes nothing away from the page. */
const MODAL = ':is([role=dialog], [role=alertdialog]):not([aria-modal=false])';

function useSaveKey(save: () => void): void {
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey || event.repeat) return;
      if (event.key.toLowerCase() !== 's' || document.querySelector(MODAL)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
