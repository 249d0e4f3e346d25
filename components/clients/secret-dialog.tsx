'use client';
import { ToldOnce } from '#components/dialogs/told-once.tsx';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import type { ClientSecret } from '#lib/client/clients/clients.ts';
import { toEnvFile, toTokenCurl } from '#lib/client/clients/snippets.ts';

export type SecretDialogProps = { projectId: string; client: ClientSecret; onClose: () => void };

export function SecretDialog({ projectId, client, onClose }: SecretDialogProps) {
  const base = window.location.origin;
  const samples = [
    { label: '.env', code: toEnvFile(base, projectId, client) },
    { label: 'curl', code: toTokenCurl(base, client.id) },
  ];
  return (
    <ToldOnce
      title={`The secret of ${client.name}`}
      values={{ 'Client id': client.id, Secret: client.secret }}
      ifLost="rotate it"
      onClose={onClose}
    >
      <CodeSamples label="Use it" samples={samples} />
    </ToldOnce>
  );
}
