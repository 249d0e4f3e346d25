'use client';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { NewRegistrationTokenAnswer } from '#lib/protocol/answers/clients.ts';

/** The one time that a token is seen. Lives in this component's memory and is gone with it. */
export function TokenDialog({ told, onClose }: { told: NewRegistrationTokenAnswer; onClose: () => void }) {
  const address = `${window.location.origin}/oauth2/register`;
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => open || onClose()}
      title={`The token ${told.name}`}
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
          <div className="flex min-h-11 items-center gap-3 py-1 pr-1 pl-3">
            <dt className="w-20 shrink-0 text-muted">Token</dt>
            <dd className="min-w-0 flex-1 break-all font-mono text-xs">{told.token}</dd>
            <dd>
              <CopyButton value={told.token} label="Copy the token" />
            </dd>
          </div>
        </dl>
        <CodeSamples label="Use it" samples={[{ label: 'curl', code: toCurl(address) }]} />
      </div>
    </Dialog>
  );
}

function toCurl(address: string): string {
  return [
    `curl -X POST ${address} \\`,
    `  -H "Authorization: Bearer $REGISTRATION_TOKEN" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"client_name":"Growth charts","redirect_uris":["https://app.example.com/callback"]}'`,
  ].join('\n');
}
