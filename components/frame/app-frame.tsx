'use client';
import { Menu as MenuIcon } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Rail } from './rail.tsx';
import { SCREENS } from './screens.ts';

// Only phones open it: its script comes with the first press.
const Sheet = dynamic(() => import('#components/ui/sheet.tsx').then((module) => module.Sheet));

export type AppFrameProps = { project: { id: string; name: string }; person: string; children: ReactNode };

/** Rail, top bar and the page. Below 768 px the rail is a drawer. */
export function AppFrame({ project, person, children }: AppFrameProps) {
  // Undefined until it was first wanted.
  const [drawer, setDrawer] = useState<boolean>();
  const pathname = usePathname();
  const screen = SCREENS.findLast((entry) => pathname.startsWith(`/p/${project.id}${entry.path}`));
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="-translate-y-16 fixed top-2 left-2 z-50 rounded-lg bg-ink px-3 py-2 text-canvas focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-line border-r bg-sunken/60 md:flex">
        <Rail project={project} />
      </aside>
      {drawer === undefined ? null : (
        <Sheet open={drawer} onOpenChange={setDrawer} side="left" title="Navigation" titleHidden>
          <Rail project={project} onNavigate={() => setDrawer(false)} />
        </Sheet>
      )}
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-line border-b bg-canvas/90 px-3 backdrop-blur-md md:px-6">
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Open navigation"
            className="md:hidden"
            onClick={() => setDrawer(true)}
          >
            <MenuIcon aria-hidden="true" />
          </Button>
          <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
            <ol className="flex items-center gap-2 text-[0.8125rem]">
              <li className="truncate text-muted">{project.name}</li>
              {screen ? (
                <>
                  <li aria-hidden="true" className="text-faint">
                    /
                  </li>
                  <li aria-current="page" className="truncate font-medium">
                    {screen.label}
                  </li>
                </>
              ) : null}
            </ol>
          </nav>
          <AccountMenu person={person} project={project.name} />
        </header>
        <main id="main" className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 md:px-8 md:py-8">
          {children}
        </main>
      </div>
    </div>
  );
}
