import Link from 'next/link';
import type { ReactNode } from 'react';
import { Arches } from '#components/brand/arches.tsx';
import { Logo } from '#components/brand/logo.tsx';
import { Main } from '#components/frame/main.tsx';
import { ThemeMenu } from '#components/frame/menus/theme-menu.tsx';

/** Sign in, register, accept, reset: one column to act in and, where there is room, a quiet wall beside it. */
export default function DoorLayout({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(32rem,5fr)_4fr]">
      <div className="flex flex-col px-6 sm:px-10">
        <header className="flex h-18 items-center justify-between">
          <Link href="/" className="rounded-md">
            <Logo />
          </Link>
          <ThemeMenu />
        </header>
        {/* Hung from the top: what comes later (the end of the page, a reason why not) moves nothing that is there. */}
        <Main className="mx-auto flex w-full max-w-sm flex-1 flex-col pt-[clamp(1.5rem,10dvh,8rem)] pb-8 max-sm:pt-4">
          {children}
        </Main>
        <footer className="flex h-16 items-center text-muted text-xs">
          A FHIR R4 service. Every change here is written to the audit log.
        </footer>
      </div>
      <aside className="relative hidden overflow-hidden border-line border-l bg-sunken lg:block">
        <Arches className="absolute inset-x-0 bottom-0 mx-auto h-[78%] w-full max-w-3xl text-accent" />
        <p className="absolute inset-x-12 top-24 text-balance font-medium text-2xl text-ink leading-9 tracking-[-0.02em]">
          Who comes in, what they may see,
          <br />
          and who let them.
        </p>
      </aside>
    </div>
  );
}
