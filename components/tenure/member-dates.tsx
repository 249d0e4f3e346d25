'use client';
import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import type { MemberView } from '#components/member/head.tsx';
import { SettingRow } from '#components/member/setting-row.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { patchMember } from '#lib/client/member/change-member.ts';
import { type DateNote, toDateNote } from '#lib/client/members/date-note.ts';

const BADGES: Record<DateNote['state'], { tone: 'good' | 'warn' | 'neutral'; word: string }> = {
  in: { tone: 'good', word: 'Open' },
  ends: { tone: 'warn', word: 'Ends' },
  away: { tone: 'neutral', word: 'Not in now' },
  ended: { tone: 'neutral', word: 'Ended' },
};

/** From when, until when, and on leave until: of its own accord, so that nobody has to think of it on the day. */
export function MemberDates({ projectId, member, facts, project }: MemberView) {
  const [open, setOpen] = useState(false);
  const note = toDateNote(member);
  const badge = BADGES[note?.state ?? 'in'];
  return (
    <SettingRow
      about={member.id}
      title={
        <>
          Dates{' '}
          <Badge tone={badge.tone} className="ml-1.5">
            {badge.word}
          </Badge>
        </>
      }
      reason={findReason({ member, facts, project })}
      action={
        findReason({ member, facts, project }) ? null : <Button onClick={() => setOpen(true)}>Change dates</Button>
      }
    >
      {note
        ? `${note.text.charAt(0).toUpperCase()}${note.text.slice(1)}.`
        : 'In from the day they joined, and without an end.'}
      {open ? <DatesDialog {...{ projectId, member, name: facts.name }} onClose={() => setOpen(false)} /> : null}
    </SettingRow>
  );
}

function findReason({ member, facts, project }: Omit<MemberView, 'projectId'>): string | undefined {
  if (facts.role === 'Owner') return 'Owns the project, and stays an active administrator';
  return member.id === project.self && member.admin ? 'Another administrator sets your dates' : undefined;
}

type DatesDialogProps = Pick<MemberView, 'projectId' | 'member'> & { name: string; onClose: () => void };
type Draft = { start: string; end: string; leave: string };

function DatesDialog({ projectId, member, name, onClose }: DatesDialogProps) {
  const queries = useQueryClient();
  const { period, suspendedUntil } = member;
  const [draft, setDraft] = useState<Draft>({
    start: period?.start?.slice(0, 10) ?? '',
    end: period?.end?.slice(0, 10) ?? '',
    leave: suspendedUntil?.slice(0, 10) ?? '',
  });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const change = (field: keyof Draft) => (event: ChangeEvent<HTMLInputElement>) =>
    setDraft((now) => ({ ...now, [field]: event.target.value }));
  const isReversed = draft.start !== '' && draft.end !== '' && draft.end < draft.start;

  async function save() {
    setBusy(true);
    setProblem(undefined);
    try {
      await whilePending(async () => {
        const saved = await patchMember(projectId, member, toDates(member, draft));
        queries.setQueryData(keys.member(projectId, member.id), saved);
        await queries.invalidateQueries({ queryKey: keys.memberLists(projectId) });
      });
      toast({ title: 'Dates saved' });
      onClose();
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
        if (!open) onClose();
      }}
      title={`When ${name} is in`}
      description="Outside of these dates nobody signs in with this membership, and open sessions of it are refused. Days are those of UTC."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} disabled={isReversed} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First day" optional>
          <Input type="date" value={draft.start} max="9999-12-31" onChange={change('start')} />
        </Field>
        <Field label="Last day" optional error={isReversed ? 'Before the first day' : undefined}>
          <Input type="date" value={draft.end} max="9999-12-31" onChange={change('end')} />
        </Field>
        <Field label="On leave until" optional description="The day on which they are back." className="sm:col-span-2">
          <Input type="date" value={draft.leave} max="9999-12-31" onChange={change('leave')} />
        </Field>
      </div>
      <FormProblemAlert problem={problem ? { texts: [problem] } : undefined} />
    </Dialog>
  );
}

/** What was not touched stays as precise as it was. */
function toDates({ period, suspendedUntil }: MemberView['member'], { start, end, leave }: Draft) {
  const keep = (typed: string, before: string | undefined) => (before?.slice(0, 10) === typed ? before : typed);
  const next = { ...(start && { start: keep(start, period?.start) }), ...(end && { end: keep(end, period?.end) }) };
  return {
    period: start || end ? next : undefined,
    suspendedUntil: leave ? keep(leave, suspendedUntil) : undefined,
  };
}
