'use client';
import { ToldOnce } from '#components/dialogs/told-once.tsx';
import type { ToldToken } from '#lib/client/scim/connections.ts';

export function TokenDialog({ url, told, onClose }: { url: string; told: ToldToken; onClose: () => void }) {
  return (
    <ToldOnce
      title={`A token for ${told.name}`}
      values={{ Address: url, Token: told.token }}
      ifLost="make another one"
      onClose={onClose}
    >
      <p className="text-muted">
        In Okta: SCIM 2.0 with “HTTP Header”, unique field <code>userName</code>. In Entra: “Tenant URL” and “Secret
        token”.
      </p>
    </ToldOnce>
  );
}
