'use client';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Spinner } from '#components/ui/feedback/spinner.tsx';
import { applyApiError, type FormProblem } from '#lib/client/api/form-errors.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import type { LoginMembership } from '#lib/protocol/answers/login.ts';
import { findLabel } from '#lib/protocol/membership-label.ts';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';

export type ProjectChooserProps = {
  memberships: LoginMembership[];
  onChoose: (membership: LoginMembership) => Promise<void>;
  onBack: () => void;
};

/** One person, several memberships: the project used last in this browser stands on top. */
export function ProjectChooser({ memberships, onChoose, onBack }: ProjectChooserProps) {
  const [chosen, setChosen] = useState<string>();
  const [problem, setProblem] = useState<FormProblem>();
  const last = readLastMembership();
  const ordered = [...memberships].sort((a, b) => Number(b.id === last) - Number(a.id === last));

  async function choose(membership: LoginMembership) {
    setChosen(membership.id);
    setProblem(undefined);
    keepLastMembership(membership.id);
    try {
      await whilePending(() => onChoose(membership), membership.id);
    } catch (error) {
      setProblem(applyApiError(error, [], () => undefined));
      setChosen(undefined);
    }
  }

  return (
    <>
      <DoorHeading title="Choose a project">Your account belongs to {memberships.length} projects.</DoorHeading>
      <FormProblemAlert problem={problem} />
      <ul className="flex flex-col gap-2">
        {ordered.map((membership) => (
          <ListRow key={membership.id} about={membership.id}>
            <button
              type="button"
              disabled={chosen !== undefined}
              onClick={() => void choose(membership)}
              className="group flex w-full items-center gap-3 rounded-xl border border-line bg-surface px-4 py-3 text-left shadow-card hover:border-line-strong hover:bg-hover disabled:cursor-default"
            >
              <Avatar name={membership.project.display ?? '?'} className="rounded-lg" />
              <span className="min-w-0 flex-1">
                <span className="flex items-center gap-2">
                  <span className="truncate font-medium">{membership.project.display ?? 'Project'}</span>
                  {membership.id === last ? <span className="shrink-0 text-muted text-xs">last used</span> : null}
                </span>
                <span className="block truncate text-[0.8125rem] text-muted">{toLabel(membership)}</span>
              </span>
              {chosen === membership.id ? (
                <Spinner className="text-muted" />
              ) : (
                <ChevronRight className="size-4 text-faint group-hover:text-ink" aria-hidden="true" />
              )}
            </button>
          </ListRow>
        ))}
      </ul>
      <Button variant="link" className="mt-6 self-start" onClick={onBack}>
        Use another account
      </Button>
    </>
  );
}

function toLabel(membership: LoginMembership): string {
  const type = membership.profile.reference?.split('/')[0] ?? '';
  return findLabel(membership.identifier) ?? [membership.profile.display, type].filter(Boolean).join(' · ');
}

const LAST_KEY = 'last-membership';

function readLastMembership(): string | undefined {
  return globalThis.localStorage?.getItem(LAST_KEY) ?? undefined;
}

function keepLastMembership(id: string): void {
  globalThis.localStorage?.setItem(LAST_KEY, id);
}
