'use client';
import { ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { Mark } from '#components/brand/logo.tsx';
import { cn } from '#components/ui/cn.ts';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import { switchProject, useOwnMemberships } from '#lib/client/frame/memberships.ts';
import type { OwnMembership } from '#lib/protocol/answers/own-memberships.ts';

/** Names the open project, and leads to the others of the same person. */
export function ProjectSwitcher({ project, narrow }: { project: { id: string; name: string }; narrow: boolean }) {
  const [wanted, setWanted] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [inside, setInside] = useState<typeof import('./project-entries.tsx')>();
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
        load={() => import('./project-entries.tsx').then(setInside)}
        entries={() => inside?.projectEntries(memberships.data, memberships.error, open) ?? []}
      />
    </div>
  );
}
