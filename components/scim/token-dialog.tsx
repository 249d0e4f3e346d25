'use client';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { ToldToken } from '#lib/client/scim/connections.ts';

/** The one time that a token is seen. Lives in this component's memory and is gone with it. */
export function TokenDialog({ url, told, onClose }: { url: string; told: ToldToken; onClose: () => void }) {
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => open || onClose()}
      title={`A token for ${told.name}`}
      className="max-w-xl"
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pt-1">
        <Alert tone="warn" title="Copy it now">
          Only its fingerprint is stored. Nobody can show it again; if it is lost, make another one.
        </Alert>
        <dl className="divide-y divide-line rounded-lg border border-line">
          <Once label="Address" value={url} />
          <Once label="Token" value={told.token} />
        </dl>
        <p className="text-muted">
          In Okta: SCIM 2.0 with “HTTP Header”, unique field <code>userName</code>. In Entra: “Tenant URL” and “Secret
          token”.
        </p>
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
