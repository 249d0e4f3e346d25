'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { WAY_NAMES, WaysField } from '#components/ways/ways-field.tsx';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { patchMember } from '#lib/client/member/change-member.ts';
import { useProject } from '#lib/client/settings/settings.ts';
import { type Way, waysOf } from '#lib/protocol/sign-in/ways.ts';
import type { MemberView } from './head.tsx';
import { SettingRow } from './setting-row.tsx';

/** By which ways this member signs in: as the project says, unless it is said here. */
export function MemberWays({ projectId, member, facts }: MemberView) {
  const project = useProject(projectId);
  const [draft, setDraft] = useState<Way[]>();
  const setting = project.data?.setting ?? [];
  const isOwn = member.signInWays !== undefined;
  const ways = waysOf(setting, member);
  const said = `${ways.map((way) => WAY_NAMES[way]).join(', ')}.`;
  return (
    <SettingRow
      about={member.id}
      title={
        <>
          Ways in <Badge className="ml-1.5">{isOwn ? 'Their own' : 'As the project says'}</Badge>
        </>
      }
      action={
        project.error ? null : (
          <Button disabled={!project.data} onClick={() => setDraft(ways)}>
            Change
          </Button>
        )
      }
    >
      {project.data || isOwn ? (
        said
      ) : project.error ? (
        'Those of the project.'
      ) : (
        <span className="invisible">{said}</span>
      )}
      {draft ? (
        <WaysDialog
          {...{ projectId, member, name: facts.name, draft, setDraft }}
          usual={waysOf(setting, { ...member, signInWays: undefined })}
        />
      ) : null}
    </SettingRow>
  );
}

type WaysDialogProps = Pick<MemberView, 'projectId' | 'member'> & {
  name: string;
  draft: Way[];
  usual: Way[];
  setDraft: (ways: Way[] | undefined) => void;
};

function WaysDialog({ projectId, member, name, draft, usual, setDraft }: WaysDialogProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function save(signInWays: Way[] | undefined) {
    setBusy(true);
    setProblem(undefined);
    try {
      await whilePending(async () => {
        const saved = await patchMember(projectId, member, { signInWays });
        queries.setQueryData(keys.member(projectId, member.id), saved);
      });
      toast({ title: 'Ways in saved' });
      setDraft(undefined);
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
  }

  return (
    <Dialog
      open
      keep
      busy={busy}
      onOpenChange={(open) => {
        if (!open) setDraft(undefined);
      }}
      title={`How ${name} signs in`}
      description="For this member alone. Sessions that are open go on."
      footer={
        <>
          <Button onClick={() => setDraft(undefined)}>Cancel</Button>
          {member.signInWays ? (
            <Button busy={busy} onClick={() => void save(undefined)}>
              As the project says
            </Button>
          ) : null}
          <Button variant="primary" busy={busy} disabled={draft.length === 0} onClick={() => void save(draft)}>
            Save
          </Button>
        </>
      }
    >
      <WaysField
        label="Allowed"
        note={`The project says: ${usual.map((way) => WAY_NAMES[way].toLowerCase()).join(', ')}`}
        value={draft}
        onChange={setDraft}
      />
      <FormProblemAlert problem={problem ? { texts: [problem] } : undefined} />
    </Dialog>
  );
}
