'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import { usePromote, usePromotion } from '#lib/client/bots/release.ts';
import { administeredElsewhere } from '#lib/client/frame/administered-elsewhere.ts';
import { useLimited } from '#lib/client/frame/limited.ts';
import { useOwnMemberships } from '#lib/client/frame/memberships.ts';
import { withoutLineEnd } from '#lib/client/settings/without-line-end.ts';
import type { Promoted, Promotion } from '#lib/protocol/bots/promote.ts';
import { isTooLong, PromotionPreview, secretsOf } from './promotion-preview.tsx';

const NONE = 'none';

export type PromoteDialogProps = { projectId: string; botId: string; live: number; onClose: () => void };

/** What is live goes to the bot with the same identifier in another project that one administers, once one has seen what that does. */
export function PromoteDialog({ projectId, botId, live, onClose }: PromoteDialogProps) {
  const memberships = useOwnMemberships(true);
  const promote = usePromote(projectId, botId);
  const [chosen, setChosen] = useState<string>();
  const [note, setNote] = useState('');
  const isLimited = useLimited();
  const [how, setHow] = useState({ live: false, settings: false, samples: false });
  const [policy, setPolicy] = useState(NONE);
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const [isForced, setForced] = useState(false);
  const options = administeredElsewhere(memberships.data ?? [], projectId);
  const project = chosen ?? options[0]?.value;
  const preview = usePromotion(
    projectId,
    botId,
    project === undefined ? undefined : { project, settings: how.settings },
  );
  const promotion = preview.data;
  /** What is live there would have them at once. */
  const areSettingsBound = !how.live && promotion?.live != null;
  const settings = how.settings && !areSettingsBound;
  const tooLong = promotion ? secretsOf(promotion.refused).some((name) => isTooLong(secrets[name])) : false;
  useHold(Object.values(secrets).some((value) => value !== '') && !promote.data);
  const toggle = (name: keyof typeof how) => ({
    checked: how[name],
    onCheckedChange: (on: boolean) => setHow({ ...how, [name]: on }),
  });
  if (promote.data) return <Arrived promoted={promote.data} onClose={onClose} />;
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => open || onClose()}
      title={`Promote version ${promotion?.version ?? live} to another project`}
      description="It goes to the bot that has the same identifier there. Values of secrets never go."
    >
      {memberships.error && !memberships.data ? (
        <ErrorState error={memberships.error} what="your projects" onRetry={() => void memberships.refetch()} />
      ) : !memberships.data ? (
        <SkeletonRegion label="Loading your projects" className="flex flex-col gap-4">
          <Skeleton className="w-48" />
        </SkeletonRegion>
      ) : options.length === 0 || project === undefined ? (
        <p className="text-muted">You administer no other project.</p>
      ) : (
        <Form
          busy={promote.isPending}
          className="flex flex-col gap-4 pt-1"
          onSubmit={(event) => {
            event.preventDefault();
            if (!promotion) return;
            const create = promotion.bot === null;
            const given = secretsOf(promotion.refused).flatMap((name) =>
              secrets[name] ? [{ name, valueString: withoutLineEnd(secrets[name]) }] : [],
            );
            const body = {
              ...{ project, ...how, settings, create, secrets: given, force: isForced },
              ...{ version: promotion.version, ...(how.live && { over: promotion.live ?? 0 }) },
              ...(note.trim() && { note: note.trim() }),
              ...(create && policy !== NONE && { accessPolicy: { reference: policy } }),
            };
            // What one has seen is no longer so: it is shown as it is now.
            const onError = (error: Error) => {
              if (!(error instanceof ApiError && error.status === 412)) return;
              setForced(false);
              void preview.refetch();
            };
            promote.mutate(body, { onError });
          }}
        >
          {promote.error ? <Refused error={promote.error} isForced={isForced} onForce={setForced} /> : null}
          <Field label="Project">
            <Select
              value={project}
              options={options}
              onValueChange={(next) => {
                setChosen(next);
                // They were typed for the other one.
                setSecrets({});
                setPolicy(NONE);
                setForced(false);
                setHow({ ...how, settings: how.settings && how.live });
                promote.reset();
              }}
            />
          </Field>
          {preview.error ? (
            <Alert tone="danger">{preview.error.message}</Alert>
          ) : promotion ? (
            <PromotionPreview
              promotion={promotion}
              withSettings={settings || promotion.bot === null}
              isLive={how.live}
              secrets={secrets}
              onSecret={(name, value) => setSecrets({ ...secrets, [name]: value })}
            />
          ) : (
            <SkeletonRegion label="Looking at that project" className="flex flex-col gap-3">
              <Skeleton className="w-64" />
              <Skeleton className="w-48" />
            </SkeletonRegion>
          )}
          {promotion?.made ? <PolicyThere made={promotion.made} value={policy} onChange={setPolicy} /> : null}
          <Field label="Note" optional>
            <Input value={note} onChange={(event) => setNote(event.target.value)} maxLength={2000} autoComplete="off" />
          </Field>
          <Toggle
            label="Live at once"
            checked={how.live}
            onCheckedChange={(live) =>
              setHow({ ...how, live, settings: how.settings && (live || promotion?.live == null) })
            }
          >
            Else it waits there as a version.
          </Toggle>
          {promotion?.bot === null ? null : (
            <Toggle label="With its settings" {...toggle('settings')} checked={settings} disabled={areSettingsBound}>
              Time limit, allowed hosts, how it takes its input and rights. What makes it run stays as it is there.
              {areSettingsBound
                ? ' They come with what is live alone: what is live there would have them at once.'
                : ''}
            </Toggle>
          )}
          {isLimited ? null : (
            <Toggle label="With its samples" {...toggle('samples')}>
              They are data of patients, who are then in that project, too.
            </Toggle>
          )}
          <div className="flex justify-end gap-2 pt-1">
            <Button onClick={onClose}>Cancel</Button>
            <SubmitButton
              busy={promote.isPending}
              disabled={!promotion || tooLong || (promotion.made?.requiresPolicy && policy === NONE)}
            >
              {promotion?.bot === null ? 'Make it there' : 'Promote'}
            </SubmitButton>
          </div>
        </Form>
      )}
    </Dialog>
  );
}

type RefusedProps = { error: Error; isForced: boolean; onForce: (on: boolean) => void };

/** Why it was not promoted; of samples there that are not as expected who knows that may do it all the same, also who is not told which they are. */
function Refused({ error, isForced, onForce }: RefusedProps) {
  const [first, ...samples] = error instanceof ApiError && error.status === 422 ? error.issues : [];
  return (
    <Alert tone="danger">
      <p>{error.message}</p>
      {samples.length > 0 ? (
        <ul aria-label="Samples" className="my-2 list-disc pl-5 [overflow-wrap:anywhere]">
          {samples.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
      {first?.expression === 'live' ? (
        <Toggle label="Promote all the same" checked={isForced} onCheckedChange={onForce}>
          The audit log there will say that you knew.
        </Toggle>
      ) : null}
    </Alert>
  );
}

type PolicyThereProps = { made: NonNullable<Promotion['made']>; value: string; onChange: (value: string) => void };

/** What a bot that is made there may do. */
function PolicyThere({ made: { policies, requiresPolicy }, value, onChange }: PolicyThereProps) {
  const none = requiresPolicy ? 'Choose one: that project requires a policy' : 'Everything (no policy)';
  return (
    <Field label="Access policy there" description="What its code may read and change in that project.">
      <Select
        value={value}
        onValueChange={onChange}
        options={[
          { value: NONE, label: none },
          ...policies.map(({ reference, display }) => ({ value: reference, label: display })),
        ]}
      />
    </Field>
  );
}

type ArrivedProps = { promoted: Promoted; onClose: () => void };

/** What came, and what it lacks there. */
function Arrived({ promoted, onClose }: ArrivedProps) {
  const { version, live, created, copiedSamples, keepsDraft, refused } = promoted;
  const secrets = secretsOf(refused);
  const others = refused.length - secrets.length;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`${live ? 'It is live there, as' : 'It is there, as'} version ${version}${live || keepsDraft ? '' : ' and as the draft'}`}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="flex list-disc flex-col gap-1 pl-5">
        {created ? <li>The bot was made there, with a membership of its own.</li> : null}
        {keepsDraft ? <li>The draft there has changes that no version has, and stayed.</li> : null}
        {copiedSamples > 0 ? <li>Samples that went: {copiedSamples}.</li> : null}
        {secrets.length > 0 ? <li>Secrets that it lacks there: {secrets.join(', ')}.</li> : null}
        {others > 0 ? <li>Hosts or records that are not allowed to it there: {others}.</li> : null}
        {refused.length === 0 ? <li>It lacks nothing there that its source names.</li> : null}
      </ul>
    </Dialog>
  );
}
