'use client';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import type { MenuEntry } from '#components/ui/overlay/menu-entry.ts';
import { useSwitchClient } from '#lib/client/clients/clients.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';

export type ClientEntries = (client: ClientRow) => readonly MenuEntry[];

/** What opens a dialog first. */
export type ClientAsk = 'edit' | 'launch' | 'requests' | 'rotate' | 'secrets' | 'drop' | 'remove';

/** What can be done with a client of the list. */
export function useClientActions(projectId: string, ask: (what: ClientAsk, client: ClientRow) => void) {
  const power = useSwitchClient(projectId);

  function turn(client: ClientRow, on: boolean) {
    const name = client.name ?? 'The client';
    power.mutate(
      { id: client.id, on },
      {
        onSuccess: () =>
          toast({
            title: on ? `${name} is on` : `${name} is off`,
            description: on ? undefined : 'Its tokens have stopped working.',
            undo: () => power.mutate({ id: client.id, on: !on }),
          }),
        onError: sayFailure,
      },
    );
  }

  const entriesOf: ClientEntries = (client) => [
    { label: 'Edit', onSelect: () => ask('edit', client) },
    ...(client.launchUri && client.status !== 'off'
      ? [{ label: 'Launch', onSelect: () => ask('launch', client) }]
      : []),
    { label: 'Requests', onSelect: () => ask('requests', client) },
    ...(client.membershipId
      ? [{ label: 'Role and access', href: `/p/${projectId}/members/${client.membershipId}?tab=access` }]
      : []),
    { label: 'Rotate secret', onSelect: () => ask('rotate', client) },
    ...(client.secret ? [{ label: 'Named secrets', onSelect: () => ask('secrets', client) }] : []),
    ...(client.secret?.retiring ? [{ label: 'End the old secret', onSelect: () => ask('drop', client) }] : []),
    'line',
    client.status === 'off'
      ? { label: 'Turn on', onSelect: () => turn(client, true) }
      : { label: 'Turn off', danger: true, onSelect: () => turn(client, false) },
    { label: 'Delete', danger: true, onSelect: () => ask('remove', client) },
  ];
  return { entriesOf };
}
