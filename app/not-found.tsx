import Link from 'next/link';
import { Arches } from '#components/brand/arches.tsx';
import { Logo } from '#components/brand/logo.tsx';
import { buttonClass } from '#components/ui/button-class.ts';

export const metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-18 items-center px-6 sm:px-10">
        <Link href="/" className="rounded-md">
          <Logo />
        </Link>
      </header>
      <main className="flex flex-1 flex-col items-center justify-center px-6 py-10 text-center">
        <h1 className="font-semibold text-3xl tracking-[-0.022em]">There is no such page</h1>
        <p className="mt-3 max-w-md text-[0.9375rem] text-muted leading-6">
          The address may be mistyped, or what stood here has moved or been removed.
        </p>
        <p className="mt-6 flex flex-wrap justify-center gap-3">
          <Link href="/p" className={buttonClass({ variant: 'primary' })}>
            Go to your project
          </Link>
          <Link href="/" className={buttonClass({})}>
            Start page
          </Link>
        </p>
      </main>
      {/* Below the words, never behind them. */}
      <Arches className="mx-auto block h-[34dvh] w-full max-w-2xl shrink-0 text-accent opacity-60 [@media(max-height:34rem)]:hidden" />
    </div>
  );
}
