'use client';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { Mark } from '#components/brand/logo.tsx';
import { cn } from '#components/ui/cn.ts';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import type { MenuEntry } from '#components/ui/overlay/menu-entry.ts';
import { switchProject, useOwnMemberships } from '#lib/client/frame/memberships.ts';
import type { OwnMembership } from '#lib/protocol/answers/own-memberships.ts';

/** Names the open project, and leads to the others of the same person. */
export function ProjectSwitcher({ project, narrow }: { project: { id: string; name: string }; narrow: boolean }) {
  const [wanted, setWanted] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const memberships = useOwnMemberships(wanted);

  function open(membership: OwnMembership) {
    setLeaving(true);
    switchProject(membership).catch((error: Error) => {
      setLeaving(false);
      toast({ title: 'The project was not opened', description: error.message, tone: 'danger' });
    });
  }

  return (
    <div className="flex h-12 shrink-0 items-center border-line border-b px-2">
      <MenuButton
        align="start"
        className="w-64"
        trigger={
          <button
            type="button"
            aria-label={`Project ${project.name}. Switch project`}
            onFocus={() => setWanted(true)}
            onPointerDown={() => setWanted(true)}
            title={narrow ? project.name : undefined}
            aria-busy={leaving || undefined}
            className={cn(
              'flex h-9 w-full min-w-0 items-center gap-2.5 rounded-lg px-2 text-left hover:bg-hover focus-visible:-outline-offset-2',
              narrow && 'justify-center px-0',
            )}
          >
            {leaving && narrow ? <Spinner className="text-muted" /> : <Mark className="size-6 shrink-0" />}
            {narrow ? null : (
              <>
                <span className="min-w-0 flex-1 truncate font-semibold tracking-[-0.01em]">{project.name}</span>
                {leaving ? (
                  <Spinner className="text-muted" />
                ) : (
                  <ChevronsUpDown className="size-3.5 text-muted" aria-hidden="true" />
                )}
              </>
            )}
          </button>
        }
        entries={() => toEntries(memberships.data, memberships.error, open)}
      />
    </div>
  );
}

function toEntries(
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
