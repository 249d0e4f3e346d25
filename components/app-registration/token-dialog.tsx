'use client';
import { ToldOnce } from '#components/dialogs/told-once.tsx';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import type { NewRegistrationTokenAnswer } from '#lib/protocol/answers/clients.ts';

export function TokenDialog({ told, onClose }: { told: NewRegistrationTokenAnswer; onClose: () => void }) {
  const address = `${window.location.origin}/oauth2/register`;
  return (
    <ToldOnce
      title={`The token ${told.name}`}
      values={{ Token: told.token }}
      ifLost="make another one"
      onClose={onClose}
    >
      <CodeSamples label="Use it" samples={[{ label: 'curl', code: toCurl(address) }]} />
    </ToldOnce>
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
