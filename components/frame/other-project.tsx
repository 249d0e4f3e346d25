'use client';
import { DoorOpen } from 'lucide-react';
import Link from 'next/link';
import { Logo } from '#components/brand/logo.tsx';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { toSignInPath } from '#lib/client/door/sign-in-path.ts';

export type OtherProjectProps = { wanted: string; current: { id: string; name: string } };

/** A session is for one project: says which, and leads to both. */
export function OtherProject({ wanted, current }: OtherProjectProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-18 items-center px-6 sm:px-10">
        <Logo />
      </header>
      <main className="grid flex-1 place-items-center pb-24">
        <EmptyState
          level={1}
          icon={<DoorOpen />}
          title="This address belongs to another project"
          action={
            <>
              <Button onClick={() => window.location.assign(toSignInPath(wanted))}>Sign in to that project</Button>
              <Link href={`/p/${current.id}`} className={buttonClass({ variant: 'primary' })}>
                Go to {current.name}
              </Link>
            </>
          }
        >
          You are signed in to {current.name}.
        </EmptyState>
      </main>
    </div>
  );
}
