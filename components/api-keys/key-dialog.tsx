'use client';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { NewApiKey } from '#lib/protocol/api-keys/answers.ts';

/** The one time that a key is seen. Lives in this component's memory and is gone with it. */
export function KeyDialog({ told, onClose }: { told: NewApiKey; onClose: () => void }) {
  const curl = `curl ${window.location.origin}/fhir/R4/Patient -H "Authorization: Bearer $GATEHOUSE_KEY"`;
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => open || onClose()}
      title={`The key ${told.name}`}
      className="max-w-xl"
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pt-1">
        <Alert tone="warn" title="Copy it now">
          Only its fingerprint is stored. Nobody can show it again; if it is lost, end it and make another one.
        </Alert>
        <div className="flex min-h-11 items-center gap-3 rounded-lg border border-line py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">{told.key}</code>
          <CopyButton value={told.key} label="Copy the key" />
        </div>
        <CodeSamples
          label="Use it"
          samples={[
            { label: 'curl', code: curl },
            { label: '.env', code: `GATEHOUSE_KEY=${told.key}` },
          ]}
        />
      </div>
    </Dialog>
  );
}
