'use client';
import { type FormEvent, useId, useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useLabelMembership } from '#lib/client/account/label-membership.ts';
import { useOwnMemberships } from '#lib/client/frame/memberships.ts';
import type { OwnMembership } from '#lib/protocol/answers/own-memberships.ts';

/** Where one is a member, and what one calls that: for who is in many places, or in one place as two. */
export function ProjectsCard() {
  const memberships = useOwnMemberships(true);
  const [asked, setAsked] = useState<OwnMembership>();
  return (
    <SettingsCard
      id="projects"
      title="Your projects"
      description="A label tells them apart where you sign in and switch. Administrators of the project can read it."
    >
      {memberships.data ? (
        <ul aria-label="Your projects" className="divide-y divide-line">
          {memberships.data.map((membership) => (
            <MembershipRow key={membership.id} membership={membership} onLabel={() => setAsked(membership)} />
          ))}
        </ul>
      ) : memberships.error ? (
        <ErrorState error={memberships.error} what="your projects" onRetry={() => void memberships.refetch()} />
      ) : (
        <SkeletonRegion label="Loading your projects" className="flex min-h-15 items-center">
          <Skeleton className="h-5 w-44" />
        </SkeletonRegion>
      )}
      {asked ? <LabelDialog membership={asked} onClose={() => setAsked(undefined)} /> : null}
    </SettingsCard>
  );
}

function MembershipRow({ membership, onLabel }: { membership: OwnMembership; onLabel: () => void }) {
  const { id, profile, label, current } = membership;
  const name = toName(membership);
  const type = profile.reference?.split('/')[0];
  return (
    <ListRow about={id} className="flex min-h-14 flex-wrap items-center gap-3 py-2">
      <div className="min-w-0 flex-1 basis-44">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {label ? <Badge>{label}</Badge> : null}
          {current ? (
            <Badge tone="good" dot>
              This one
            </Badge>
          ) : null}
        </p>
        <p className="truncate text-[0.8125rem] text-muted">{[profile.display, type].filter(Boolean).join(' · ')}</p>
      </div>
      <Button
        size="sm"
        aria-label={`Label ${[name, label ?? profile.display].filter(Boolean).join(', ')}`}
        onClick={onLabel}
      >
        Label
      </Button>
    </ListRow>
  );
}

function LabelDialog({ membership, onClose }: { membership: OwnMembership; onClose: () => void }) {
  const save = useLabelMembership();
  const id = useId();
  const [text, setText] = useState(membership.label ?? '');

  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate({ id: membership.id, label: text.trim() || null }, { onSuccess: onClose });
  }

  return (
    <Dialog
      open
      keep
      busy={save.isPending}
      onOpenChange={(open) => !open && onClose()}
      title={`Label ${toName(membership)}`}
      description="Such as a ward or a role. Without a text it has none."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={id} busy={save.isPending}>
            Save the label
          </SubmitButton>
        </>
      }
    >
      <Form id={id} busy={save.isPending} onSubmit={submit} className="flex flex-col gap-4">
        <FormProblemAlert problem={save.error ? { texts: [save.error.message] } : undefined} />
        <Field label="Label" optional>
          <Input value={text} maxLength={64} autoComplete="off" onChange={(event) => setText(event.target.value)} />
        </Field>
      </Form>
    </Dialog>
  );
}

function toName({ project }: OwnMembership): string {
  return project.display ?? 'Project';
}
