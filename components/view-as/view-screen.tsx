'use client';
import { Dialog as Base } from '@base-ui/react/dialog';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useBackCloses } from '#components/ui/overlay/use-back-closes.ts';
import { endViewInPassing, useEndView, type View } from '#lib/client/view-as/view.ts';
import { Banner } from './banner.tsx';
import { SeenRecords } from './seen-records.tsx';
import { SeenSelf } from './seen-self.tsx';
import type { ViewAsProps } from './start-dialog.tsx';

/**
 * The project as a member sees it, over the whole page: what the administrator has beside it is theirs, and behind it. It is over when it is closed, when its
 * time is, and when the page is left.
 */
export function ViewScreen({ projectId, membershipId, name, view, onClose }: ViewAsProps & { view: View }) {
  const [isOver, setOver] = useState(false);
  const end = useEndView(projectId, membershipId);
  const screen = useRef<HTMLDivElement>(null);
  const over = useCallback(() => setOver(true), []);

  async function close() {
    if (end.isPending) return;
    try {
      if (!isOver) await end.mutateAsync();
      toast({ title: 'You are yourself again' });
    } catch (error) {
      toast({ tone: 'danger', title: 'The view ends by itself', description: (error as Error).message });
    }
    onClose();
  }
  useBackCloses(true, () => void close());

  useEffect(() => {
    const leave = () => {
      endViewInPassing(projectId, membershipId);
      over();
    };
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [projectId, membershipId, over]);

  return (
    <Base.Root open onOpenChange={(open) => void (open || close())} disablePointerDismissal>
      <Base.Portal>
        <Base.Popup
          ref={screen}
          initialFocus={screen}
          tabIndex={-1}
          className="fixed inset-0 z-40 flex flex-col bg-canvas outline-none"
        >
          <Banner
            name={name}
            overAt={isOver ? undefined : view.overAt}
            busy={end.isPending}
            onOver={over}
            onEnd={() => void close()}
          />
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6 sm:px-6">
            <div className="mx-auto flex max-w-5xl flex-col gap-5">
              <Base.Title className="break-words font-semibold text-[1.375rem] leading-7 tracking-[-0.02em]">
                As {name} sees it
              </Base.Title>
              {isOver ? null : (
                <>
                  <SeenSelf view={view} onOver={over} />
                  <SeenRecords view={view} onOver={over} />
                </>
              )}
            </div>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
