'use client';
import type { MenuEntry } from '#components/ui/menu-button.tsx';
import { toast } from '#components/ui/toast.tsx';
import { useSwitchClient } from '#lib/client/clients.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';

export type ClientEntries = (client: ClientRow) => readonly MenuEntry[];

/** What can be done with a client of the list. */
export function useClientActions(projectId: string, onRotate: (client: ClientRow) => void) {
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
        onError: (error) => toast({ tone: 'danger', title: 'Nothing was changed', description: error.message }),
      },
    );
  }

  const entriesOf: ClientEntries = (client) => [
    { label: 'Rotate secret', onSelect: () => onRotate(client) },
    'line',
    client.status === 'off'
      ? { label: 'Turn on', onSelect: () => turn(client, true) }
      : { label: 'Turn off', danger: true, onSelect: () => turn(client, false) },
  ];
  return { entriesOf };
}
