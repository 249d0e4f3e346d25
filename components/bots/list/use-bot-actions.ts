'use client';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import type { MenuEntry } from '#components/ui/overlay/menu-entry.ts';
import { useSwitchBot } from '#lib/client/bots/bots.ts';
import type { BotRow } from '#lib/protocol/bots/bots.ts';

export type BotEntries = (bot: BotRow) => readonly MenuEntry[];

/** What opens a dialog first. */
export type BotAsk = 'duplicate' | 'promote' | 'remove';

/** What can be done with a bot of the list. */
export function useBotActions(projectId: string, ask: (what: BotAsk, bot: BotRow) => void) {
  const power = useSwitchBot(projectId);

  function turn({ id, membershipId, name }: BotRow & { membershipId: string }, on: boolean) {
    power.mutate(
      { id, membershipId, on },
      {
        onSuccess: () =>
          toast({
            title: on ? `${name} is on` : `${name} is off`,
            description: on ? undefined : 'Whoever calls it is refused, and so is what would run it.',
            undo: () => power.mutate({ id, membershipId, on: !on }),
          }),
        onError: sayFailure,
      },
    );
  }

  const entriesOf: BotEntries = (bot) => {
    const { id, membershipId, live, isOff } = bot;
    const page = `/p/${projectId}/bots/${id}`;
    return [
      { label: 'Open', href: page },
      { label: 'Runs', href: `/p/${projectId}/runs?bot=${id}` },
      ...(membershipId
        ? [{ label: 'Role and access', href: `/p/${projectId}/members/${membershipId}?tab=access` }]
        : []),
      { label: 'Duplicate…', onSelect: () => ask('duplicate', bot) },
      ...(live === null ? [] : [{ label: 'Promote…', onSelect: () => ask('promote', bot) }]),
      'line',
      ...(membershipId
        ? [
            isOff
              ? { label: 'Turn on', onSelect: () => turn({ ...bot, membershipId }, true) }
              : { label: 'Turn off', danger: true, onSelect: () => turn({ ...bot, membershipId }, false) },
          ]
        : []),
      { label: 'Delete…', danger: true, onSelect: () => ask('remove', bot) },
    ];
  };
  return { entriesOf };
}
