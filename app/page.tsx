import { Bot, Building2, FileClock, KeyRound, MailCheck, ScrollText } from 'lucide-react';
import Link from 'next/link';
import { Arches } from '#components/brand/arches.tsx';
import { Logo } from '#components/brand/logo.tsx';
import { ThemeMenu } from '#components/frame/menus/theme-menu.tsx';
import { toFirstCalls } from '#components/landing/calls.ts';
import { CodeBlock } from '#components/landing/code-block.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { env } from '#lib/base/env.ts';
import { pageSession } from './page-session.ts';

const POINTS = [
  {
    icon: Building2,
    title: 'Projects that cannot see each other',
    text: 'Each organisation has its own people, records, policies and bots. What belongs to another project answers exactly like what does not exist.',
  },
  {
    icon: MailCheck,
    title: 'Invitations that hold',
    text: 'Account, profile, membership and mail are one transaction. A mail scanner cannot use a link up, and a double press cannot invite twice.',
  },
  {
    icon: KeyRound,
    title: 'Access, judged on every request',
    text: 'Policies decide by type, interaction and criteria. A demotion or removal takes effect on live sessions at once, on every machine.',
  },
  {
    icon: Bot,
    title: 'Bots behind glass',
    text: 'Your TypeScript runs in an isolate with a fresh context per run: no files, no environment, only what its own membership allows.',
  },
  {
    icon: ScrollText,
    title: 'FHIR R4 and HL7 v2',
    text: 'Search, history, JSON Patch and batch as the specification says them, and pipe-delimited messages that print back byte for byte.',
  },
  {
    icon: FileClock,
    title: 'No change without a trace',
    text: 'A write that leaves no audit row cannot commit. Who, what, when, from where, for as long as you keep it.',
  },
];

export default async function LandingPage() {
  const session = await pageSession();
  const calls = toFirstCalls(env().BASE_URL);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-30 border-line border-b bg-canvas/90 backdrop-blur-md [@media(max-height:28rem)]:static">
        <div className="mx-auto flex min-h-14 max-w-6xl flex-wrap items-center gap-1 px-4 py-1 sm:gap-2 sm:px-6">
          <Link href="/" className="mr-auto rounded-md">
            <Logo />
          </Link>
          <a href="#first-calls" className={buttonClass({ variant: 'ghost', size: 'sm', className: 'max-sm:hidden' })}>
            First calls
          </a>
          <ThemeMenu />
          {session ? (
            <Link
              href="/p"
              className={buttonClass({ variant: 'primary', size: 'sm', className: 'min-w-0 max-w-full shrink' })}
            >
              <span className="truncate">Open {session.projectName}</span>
            </Link>
          ) : (
            <>
              <Link href="/signin" className={buttonClass({ variant: 'ghost', size: 'sm' })}>
                Sign in
              </Link>
              <Link href="/register" className={buttonClass({ variant: 'primary', size: 'sm' })}>
                Register
              </Link>
            </>
          )}
        </div>
      </header>
      <main>
        <section className="relative overflow-hidden border-line border-b">
          <Arches className="-right-24 pointer-events-none absolute bottom-0 h-full text-accent opacity-80 max-lg:hidden" />
          <div className="relative mx-auto max-w-6xl px-4 py-12 sm:px-6 sm:py-28">
            <h1 className="max-w-2xl text-balance font-semibold text-[2.125rem] leading-[1.1] [overflow-wrap:anywhere] tracking-[-0.034em] sm:text-[3.5rem]">
              The front gate of your health data.
            </h1>
            <p className="mt-6 max-w-xl text-[1.0625rem] text-muted leading-7">
              Gatehouse keeps isolated FHIR R4 projects, lets the right people and programs in, and runs your bots where
              they can do no harm. One server, one command, one Postgres.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <Link
                href={session ? '/p' : '/register'}
                className={buttonClass({ variant: 'primary', size: 'lg', className: 'min-w-0 max-w-full shrink' })}
              >
                <span className="truncate">{session ? `Open ${session.projectName}` : 'Register a project'}</span>
              </Link>
              <a href="#first-calls" className={buttonClass({ size: 'lg' })}>
                See the first calls
              </a>
            </div>
          </div>
        </section>
        <section className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-20">
          <h2 className="sr-only">What it does</h2>
          <ul className="grid gap-x-10 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
            {POINTS.map((point) => (
              <li key={point.title}>
                <point.icon className="mb-4 size-6 text-accent-text" strokeWidth={1.6} aria-hidden="true" />
                <h3 className="font-semibold text-base">{point.title}</h3>
                <p className="mt-2 text-[0.9375rem] text-muted leading-6">{point.text}</p>
              </li>
            ))}
          </ul>
        </section>
        <section id="first-calls" className="border-line border-t bg-sunken/60">
          <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 sm:py-20">
            <h2 className="font-semibold text-2xl tracking-[-0.022em]">First calls</h2>
            <p className="mt-3 max-w-2xl text-[0.9375rem] text-muted leading-6">
              A program enters with its client id and secret. The whole walk, from an empty folder to a running bot, is
              in <code className="font-mono text-[0.875em]">README.md</code>.
            </p>
            <div className="mt-8 grid gap-4 lg:grid-cols-2">
              {calls.map((call) => (
                <CodeBlock key={call.title} {...call} />
              ))}
            </div>
          </div>
        </section>
      </main>
      <footer className="mt-auto border-line border-t">
        <div className="mx-auto flex min-h-16 max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-4 text-[0.8125rem] text-muted sm:px-6">
          <span className="mr-auto">Gatehouse. Apache-2.0.</span>
          <a href="/healthcheck" className="hover:text-ink">
            Health
          </a>
        </div>
      </footer>
    </div>
  );
}
