import { Check, Plus } from 'lucide-react';
import type { MenuEntry } from '#components/ui/overlay/menu-entry.ts';
import type { OwnMembership } from '#lib/protocol/answers/own-memberships.ts';

/** One's projects, as far as they are known, as entries of a menu. */
export function projectEntries(
  memberships: OwnMembership[] | undefined,
  error: Error | null,
  open: (membership: OwnMembership) => void,
): MenuEntry[] {
  const rest: MenuEntry[] = [
    'line',
    { label: 'Start another project', icon: <Plus aria-hidden="true" />, href: '/register/project' },
  ];
  if (!memberships) {
    const text = error ? 'Your projects could not be loaded' : 'Loading your projects…';
    return [{ head: <span className="text-muted">{text}</span>, key: 'wait' }, ...rest];
  }
  const entries = memberships.map((membership): MenuEntry => {
    const name = membership.project.display ?? 'Project';
    return {
      label: [name, membership.label ?? membership.profile.display].filter(Boolean).join(' · '),
      icon: membership.current ? <Check aria-hidden="true" /> : <span className="size-4" />,
      onSelect: () => (membership.current ? undefined : open(membership)),
    };
  });
  return [
    { head: <span className="font-medium text-faint text-xs">Your projects</span>, key: 'head' },
    ...entries,
    ...rest,
  ];
}
