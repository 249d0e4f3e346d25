'use client';
import { Check } from 'lucide-react';
import Link from 'next/link';
import { useState, useSyncExternalStore } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import type { ChecklistKey, Overview } from '#lib/protocol/answers/overview.ts';

type Step = { title: string; note: string; path: string; action: string };

const STEPS: Record<ChecklistKey, Step> = {
  invite: {
    title: 'Invite someone',
    note: 'They get a mail with a link and choose a password.',
    path: '/members?invite=one',
    action: 'Invite a person',
  },
  'second-admin': {
    title: 'Have a second administrator',
    note: 'So that someone can help when you cannot sign in.',
    path: '/members?invite=one',
    action: 'Invite an administrator',
  },
  policy: {
    title: 'Write an access policy',
    note: 'Say which records a role may read and write, from a template.',
    path: '/access-policies/new',
    action: 'Write a policy',
  },
  bot: {
    title: 'Deploy a bot',
    note: 'Code that runs in here, from a template in one press.',
    path: '/bots',
    action: 'Open bots',
  },
  client: {
    title: 'Connect a program',
    note: 'A client of its own for everything that calls the API.',
    path: '/clients',
    action: 'Open clients',
  },
};

const keyOf = (projectId: string) => `gatehouse:first-steps:${projectId}`;
const subscribe = () => () => undefined;

/** The first five things to do. Gone when they are done, or when skipped on this device. */
export function FirstSteps({ projectId, steps }: { projectId: string; steps: Overview['checklist'] }) {
  const stored = useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(keyOf(projectId)) === 'skipped',
    () => false,
  );
  const [skipped, setSkipped] = useState(false);
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length || skipped || stored) return null;
  const skip = () => {
    localStorage.setItem(keyOf(projectId), 'skipped');
    setSkipped(true);
  };
  return (
    <section aria-labelledby="first-steps">
      <Card className="overflow-hidden">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-3">
          <h2 id="first-steps" className="font-semibold text-[0.9375rem]">
            First steps
          </h2>
          <p className="text-muted tabular-nums">
            {done} of {steps.length} done
          </p>
          <Button size="sm" variant="ghost" className="ml-auto" onClick={skip}>
            Skip the rest
          </Button>
        </div>
        <div className="h-1 bg-sunken" aria-hidden="true">
          <div className="h-full bg-accent" style={{ width: `${(done / steps.length) * 100}%` }} />
        </div>
        <ol className="divide-y divide-line">
          {steps.map(({ key, done: isDone }) => (
            <li key={key} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-5 py-2.5">
              <span
                className={cn(
                  'grid size-6 shrink-0 place-items-center rounded-full border border-line-strong',
                  isDone && 'border-accent bg-accent text-accent-ink',
                )}
              >
                {isDone ? <Check className="size-3.5 stroke-3" aria-hidden="true" /> : null}
              </span>
              <div className="min-w-0 flex-1 basis-52">
                <p className={cn('font-medium', isDone && 'text-muted')}>
                  {STEPS[key].title}
                  {isDone ? <span className="sr-only">, done</span> : null}
                </p>
                {isDone ? null : <p className="text-[0.8125rem] text-muted">{STEPS[key].note}</p>}
              </div>
              {isDone ? null : <StepAction projectId={projectId} step={STEPS[key]} />}
            </li>
          ))}
        </ol>
      </Card>
    </section>
  );
}

function StepAction({ projectId, step: { path, action } }: { projectId: string; step: Step }) {
  return (
    <Link href={`/p/${projectId}${path}`} className={cn(buttonClass({ size: 'sm' }), 'max-sm:ml-9')}>
      {action}
    </Link>
  );
}
