'use client';
import { Plus } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import type { ChangeOptions } from '#components/members/actions/change.ts';
import { findGuard, isSelfHarm } from '#components/members/actions/guards.ts';
import { MemberPermissions } from '#components/sight/member-permissions.tsx';
import { PolicyEffect } from '#components/sight/policy-effect.tsx';
import { Button } from '#components/ui/button.tsx';
import { AsCode } from '#components/ui/display/as-code.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { focusRefusal } from '#components/ui/form/focus-refusal.ts';
import { Select } from '#components/ui/form/select.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { rescueFocus } from '#components/ui/overlay/rescue-focus.ts';
import {
  type AccessRow,
  findUnfinished,
  isFullAccess,
  newAccessRow,
  toAccessChange,
  toAccessRows,
} from '#lib/client/access/access-rows.ts';
import type { PolicyChoice } from '#lib/client/access/policies.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import type { Member } from '#lib/client/api/types.ts';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';
import { toPatchCall } from '#lib/client/member/change-member.ts';
import type { MemberChange } from '#lib/client/member/member.ts';
import { AccessRowFields } from './access-row-fields.tsx';
import type { MemberView } from './head.tsx';

export type AccessTabProps = MemberView & {
  policies: readonly PolicyChoice[];
  onSave: (base: Member, change: MemberChange, said: string, options?: ChangeOptions) => Promise<void>;
};

/** `tried`: it was to be saved, and what is not finished shows. */
type Draft = { base: Member; admin: boolean; rows: AccessRow[]; tried?: boolean };

const REQUIRED = 'This project requires a policy: keep one, or deactivate the member.';

/** Role and policies. A draft stands on the version it was begun on: saving over somebody else's change asks, and loses nothing. */
export function AccessTab({ projectId, member, facts, project, policies, onSave }: AccessTabProps) {
  const [draft, setDraft, spendDraft] = useDraft<Draft>(`access:${member.id}`);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const isRequired = usePolicyRequired();
  const { base, admin, rows, tried } = draft ?? toDraft(member);
  const change = draft ? toChange(draft) : {};
  const unfinished = new Map(rows.map((row) => [row.key, new Map(findUnfinished(row))]));
  const finished = [...unfinished.values()].every(({ size }) => size === 0);
  const dirty = Object.keys(change).length > 0 || (draft !== undefined && !finished);
  const force = change.admin === false && isSelfHarm('demote', member, project);
  const guard = member.admin ? findGuard('demote', member, project) : undefined;
  const edit = (part: Partial<Draft>) => setDraft({ base, admin, rows, tried, ...part });

  const send = () => onSave(base, change, 'Access saved', { force, onSettled: () => spendDraft() });

  // A button of the bar takes the bar away, and the focus with it.
  useEffect(() => {
    const stays = root.current;
    if (dirty) return () => rescueFocus(stays);
  }, [dirty]);

  async function save() {
    setProblem(undefined);
    if (!finished) {
      edit({ tried: true });
      return focusRefusal(root.current);
    }
    if (isFullAccess(base, rows)) return isRequired ? setProblem(REQUIRED) : setAsking(true);
    setBusy(true);
    try {
      await send();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'This failed');
    } finally {
      setBusy(false);
    }
  }

  return (
    <div ref={root} tabIndex={-1} aria-busy={busy || undefined} className="flex flex-col gap-4 outline-none">
      {problem ? <Alert tone="danger">{problem}</Alert> : null}
      <Card className="px-5 py-4">
        <Field
          label="Role"
          description={
            guard ??
            'Administrators invite, change and remove people, and change the project, whatever their policies say.'
          }
        >
          <Select
            disabled={guard !== undefined}
            value={admin ? 'admin' : 'member'}
            onValueChange={(role) => edit({ admin: role === 'admin' })}
            options={[
              { value: 'member', label: 'Member' },
              { value: 'admin', label: facts.role === 'Owner' ? 'Administrator and owner' : 'Administrator' },
            ]}
            className="max-w-64"
          />
        </Field>
      </Card>
      <Card>
        <div className="flex items-center gap-3 px-5 pt-4 pb-3">
          <div className="min-w-0 flex-1">
            <h2 className="font-semibold">Access policies</h2>
            <p className="text-[0.8125rem] text-muted">
              What any of them allows is allowed.{' '}
              <Link
                href={`/p/${projectId}/access-test?membership=ProjectMembership/${member.id}`}
                className="text-accent-text underline underline-offset-3"
              >
                Test access
              </Link>
            </p>
          </div>
          <Button size="sm" onClick={() => edit({ rows: [...rows, newAccessRow()] })}>
            <Plus aria-hidden="true" />
            Add a policy
          </Button>
        </div>
        {rows.length === 0 ? (
          <div className="border-line border-t px-5 py-4">
            <NoRows admin={admin} isRequired={isRequired} />
          </div>
        ) : (
          <ul>
            {rows.map((row) => (
              <li key={row.key} className="border-line border-t px-5 py-4">
                <AccessRowFields
                  row={row}
                  policies={policies}
                  isDated
                  onChange={(next) => edit({ rows: rows.map((each) => (each.key === row.key ? next : each)) })}
                  onRemove={() => edit({ rows: rows.filter((each) => each.key !== row.key) })}
                  errorOf={(path) => (tried ? unfinished.get(row.key)?.get(path) : undefined)}
                />
              </li>
            ))}
          </ul>
        )}
      </Card>
      {dirty ? (
        <div className="sticky bottom-4 flex flex-col has-[[data-effect],details[open]]:static gap-2 rounded-xl border border-line bg-raised px-4 py-3 shadow-pop">
          <div className="flex flex-wrap items-center gap-2">
            <p className="mr-auto text-muted">Not saved yet. It works at once for live sessions.</p>
            <Button onClick={() => setDraft(undefined)}>Discard</Button>
            <Button variant="primary" busy={busy} onClick={() => void save()}>
              Save access
            </Button>
          </div>
          {finished ? (
            <PolicyEffect projectId={projectId} membershipId={member.id} draft={{ admin, ...toAccessChange(rows) }} />
          ) : null}
          {finished ? (
            <AsCode label="This change as code" call={() => toPatchCall(projectId, base, change, force)} />
          ) : null}
        </div>
      ) : null}
      <MemberPermissions
        projectId={projectId}
        membershipId={member.id}
        version={member.meta?.versionId}
        name={facts.name}
      />
      {asking ? (
        <ConfirmDialog
          danger
          title={`Give ${facts.name} full access?`}
          confirm="Give full access"
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          <p>
            This takes the last policy away, and no policy means full access: <strong>{facts.name}</strong> may then
            read and change everything in the project.
          </p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

/** What comes of having no policy. */
function NoRows({ admin, isRequired }: { admin: boolean; isRequired: boolean }) {
  if (isRequired)
    return (
      <Alert tone="warn">
        No policy: the project requires one, so this {admin ? 'administrator' : 'member'} reaches no records.
      </Alert>
    );
  if (admin) return <p className="text-muted">No policy: this administrator may read and change everything.</p>;
  return <Alert tone="warn">No policy: this member may read and change everything in the project.</Alert>;
}

function toDraft(base: Member): Draft {
  return { base, admin: base.admin ?? false, rows: toAccessRows(base) };
}

function toChange({ base, admin, rows }: Draft): MemberChange {
  const access = toAccessChange(rows);
  const same = JSON.stringify(access) === JSON.stringify(toAccessChange(toAccessRows(base)));
  return { ...(admin !== (base.admin ?? false) && { admin }), ...(same ? {} : access) };
}
