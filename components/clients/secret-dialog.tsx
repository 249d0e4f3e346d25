'use client';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { ClientSecret } from '#lib/client/clients/clients.ts';
import { toEnvFile, toTokenCurl } from '#lib/client/clients/snippets.ts';

export type SecretDialogProps = { projectId: string; client: ClientSecret; onClose: () => void };

/** The one time that a secret is seen. Lives in this component's memory and is gone with it. */
export function SecretDialog({ projectId, client, onClose }: SecretDialogProps) {
  const base = window.location.origin;
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => open || onClose()}
      title={`The secret of ${client.name}`}
      className="max-w-xl"
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pt-1">
        <Alert tone="warn" title="Copy it now">
          Only its fingerprint is stored. Nobody can show it again; if it is lost, rotate it.
        </Alert>
        <dl className="divide-y divide-line rounded-lg border border-line">
          <Once label="Client id" value={client.id} />
          <Once label="Secret" value={client.secret} />
        </dl>
        <CodeSamples
          label="Use it"
          samples={[
            { label: '.env', code: toEnvFile(base, projectId, client) },
            { label: 'curl', code: toTokenCurl(base, client.id) },
          ]}
        />
      </div>
    </Dialog>
  );
}

function Once({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex min-h-11 items-center gap-3 py-1 pr-1 pl-3">
      <dt className="w-20 shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 flex-1 break-all font-mono text-xs">{value}</dd>
      <dd>
        <CopyButton value={value} label={`Copy ${label.toLowerCase()}`} />
      </dd>
    </div>
  );
}
