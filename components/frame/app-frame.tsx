'use client';
import { Menu as MenuIcon, Search } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { ProofKeeper } from '#components/proof/proof-keeper.tsx';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { Kbd } from '#components/ui/display/kbd.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { ownDrafts } from '#lib/client/api/drafts.ts';
import type { FrameMe } from '#lib/client/frame/me.ts';
import { useMe } from '#lib/client/frame/me.ts';
import { keepRailNarrow } from '#lib/client/frame/rail.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { Main } from './main.tsx';
import { AccountMenu } from './menus/account-menu.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { Rail } from './rail.tsx';
import { findScreen, type Offers, screensOf } from './screens.ts';
import { SessionKeeper } from './session-keeper.tsx';
import { useKeys } from './use-keys.ts';

// What only a press opens: its script comes with the press.
const Sheet = dynamic(() => import('#components/ui/overlay/sheet.tsx').then((module) => module.Sheet), { ssr: false });
const CommandPalette = dynamic(() => import('./command-palette.tsx').then((module) => module.CommandPalette), {
  ssr: false,
});
const GlassDialog = dynamic(
  () => import('#components/break-glass/glass-dialog.tsx').then((module) => module.GlassDialog),
  {
    ssr: false,
    loading: DialogLoading,
  },
);
const ShortcutSheet = dynamic(() => import('./shortcut-sheet.tsx').then((module) => module.ShortcutSheet), {
  ssr: false,
  loading: DialogLoading,
});

// Few ever see it, and it stands in the page from the beginning.
const GlassStrip = dynamic(() => import('#components/break-glass/glass-strip.tsx').then((module) => module.GlassStrip));

// Few come to a page that they may not see.
const ClosedScreen = dynamic(() => import('./closed-screen.tsx').then((module) => module.ClosedScreen));

export type AppFrameProps = {
  project: { id: string; name: string };
  person: string;
  /** Who is signed in, as the server knew when it rendered. */
  me: FrameMe | undefined;
  railNarrow: boolean;
  offers: Offers;
  children: ReactNode;
};

/** Rail, top bar and the page. Below 768 px the rail is a drawer. */
export function AppFrame({ project: printed, person, me: known, railNarrow, offers, children }: AppFrameProps) {
  // Undefined until it was first wanted.
  const [drawer, setDrawer] = useState<boolean>();
  const [palette, setPalette] = useState<boolean>();
  const [shortcuts, setShortcuts] = useState<boolean>();
  const [glassAsked, setGlassAsked] = useState(false);
  const [narrow, setNarrow] = useState(railNarrow);
  const mod = useModKey();
  const router = useRouter();
  const me = useMe(known).data;
  // Before anything on the page reads what was begun.
  useState(() => ownDrafts(known?.membership.user.reference));
  const project = { id: printed.id, name: me?.project.name ?? printed.name };
  // One's own pages name no project in their address: what the server printed around them is for the session as it was.
  const moved = me !== undefined && me.project.id !== printed.id;
  useEffect(() => {
    if (moved) window.location.reload();
  }, [moved]);
  const allowed = screensOf(me);
  const screens = allowed.filter(({ offer }) => offer === undefined || offers[offer]);
  const here = findScreen(project.id, usePathname());
  const closed = here?.admin !== undefined && !allowed.includes(here);
  const { may, minutes, open } = me?.breakGlass ?? {};
  const toggleRail = () => {
    keepRailNarrow(!narrow);
    setNarrow(!narrow);
  };
  useKeys({
    '[': toggleRail,
    'mod+k': () => setPalette(!palette),
    '?': () => setShortcuts(true),
    ...Object.fromEntries(
      screens.map((screen) => [`g ${screen.key}`, () => router.push(`/p/${project.id}${screen.path}`)]),
    ),
  });
  return (
    <div
      className={cn(
        'min-h-dvh md:grid',
        narrow ? 'md:grid-cols-[3.75rem_minmax(0,1fr)]' : 'md:grid-cols-[15rem_minmax(0,1fr)]',
      )}
    >
      <a
        href="#main"
        className="-translate-y-16 fixed top-2 left-2 z-50 rounded-lg bg-ink px-3 py-2 text-canvas focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col border-line border-r bg-sunken/60 md:flex">
        <Rail
          project={project}
          screens={screens}
          narrow={narrow}
          onShortcuts={() => setShortcuts(true)}
          onNarrow={toggleRail}
        />
      </aside>
      {drawer === undefined ? null : (
        <Sheet open={drawer} onOpenChange={setDrawer} side="left" title="Navigation" titleHidden>
          <Rail project={project} screens={screens} onNavigate={() => setDrawer(false)} />
        </Sheet>
      )}
      <div className="flex min-w-0 flex-col">
        <header
          className={cn(
            'sticky top-0 z-30 flex h-12 items-center gap-2 border-line border-b px-3 md:px-6',
            open ? 'under-glass bg-danger text-ink' : 'bg-canvas/90 backdrop-blur-md',
          )}
        >
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Open navigation"
            className="md:hidden"
            onClick={() => setDrawer(true)}
          >
            <MenuIcon aria-hidden="true" />
          </Button>
          <Breadcrumb project={project} closed={closed} />
          {open ? <GlassStrip open={open} /> : null}
          <button
            type="button"
            onClick={() => setPalette(true)}
            className="flex h-8 items-center gap-2 rounded-lg border border-line bg-surface px-2.5 text-[0.8125rem] text-muted hover:border-line-strong hover:text-ink"
          >
            <Search className="size-3.5" aria-hidden="true" />
            <span className="max-sm:sr-only">Search</span>
            <span className="ml-6 hidden sm:inline-flex" aria-hidden="true">
              <Kbd>{mod} K</Kbd>
            </span>
          </button>
          <AccountMenu
            person={person}
            project={project.name}
            onGlass={may && !open ? () => setGlassAsked(true) : undefined}
          />
        </header>
        <Main
          id="main"
          tabIndex={-1}
          className="outline-none mx-auto w-full max-w-7xl flex-1 px-4 py-6 md:px-8 md:py-8"
        >
          {closed ? <ClosedScreen screen={here} /> : children}
        </Main>
      </div>
      {palette === undefined ? null : (
        <CommandPalette
          open={palette}
          onOpenChange={setPalette}
          projectId={project.id}
          screens={screens}
          onShortcuts={() => setShortcuts(true)}
        />
      )}
      {shortcuts === undefined ? null : (
        <ShortcutSheet open={shortcuts} onOpenChange={setShortcuts} screens={screens} />
      )}
      {glassAsked ? <GlassDialog minutes={minutes ?? 60} onClose={() => setGlassAsked(false)} /> : null}
      <OfflineBar />
      <SessionKeeper projectId={project.id} />
      <ProofKeeper />
    </div>
  );
}
