'use client';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';

/** A link that is told only now. */
export function LinkDialog({ name, url, onClose }: { name: string; url: string; onClose: () => void }) {
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => !open && onClose()}
      title={`The link for ${name}`}
      description="It is shown only now. Hand it to this person and to nobody else."
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <CopyButton variant="primary" size="md" value={url} label="Copy the link">
            Copy the link
          </CopyButton>
        </>
      }
    >
      <code className="block break-all rounded-lg border border-line bg-sunken/60 px-3 py-2.5 font-mono text-xs leading-5">
        {url}
      </code>
    </Dialog>
  );
}
