'use client';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { AccessRowFields } from '#components/member/access-row-fields.tsx';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { focusRefusal } from '#components/ui/form/focus-refusal.ts';
import { Form } from '#components/ui/form/form.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { findUnfinished, newAccessRow, toAccessEntries, toRows } from '#lib/client/access/access-rows.ts';
import { usePolicies } from '#lib/client/access/policies.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useMapGroup } from '#lib/client/scim/groups.ts';
import type { ScimGroupRow } from '#lib/protocol/answers/scim-connections.ts';

export type GroupFormProps = { projectId: string; connectionId: string; group: ScimGroupRow; onClose: () => void };

/** What a group gives: a role and policies. Who is in it has them at once. */
export function GroupForm({ projectId, connectionId, group, onClose }: GroupFormProps) {
  const policies = usePolicies(projectId);
  const map = useMapGroup(projectId, connectionId);
  const [admin, setAdmin] = useState(group.admin);
  const [rows, setRows] = useState(() => toRows(group.access));
  const [tried, setTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  const unfinished = new Map(rows.map((row) => [row.key, new Map(findUnfinished(row))]));

  async function save() {
    setProblem(undefined);
    setTried(true);
    if ([...unfinished.values()].some(({ size }) => size > 0)) return focusRefusal(root.current);
    try {
      await map.mutateAsync({ id: group.id, admin, access: toAccessEntries(rows) });
      toast({ title: `What ${group.displayName} gives is saved` });
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'This failed');
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`What ${group.displayName} gives`}
      description={
        group.members === 0
          ? 'Nobody is in it yet.'
          : `${group.members === 1 ? 'Its member has' : `Its ${group.members} members have`} it at once.`
      }
      className="max-w-xl"
    >
      <Form
        busy={map.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div ref={root} className="flex flex-col gap-4 pt-1">
          {problem ? <Alert tone="danger">{problem}</Alert> : null}
          <Toggle label="Administrator" checked={admin} onCheckedChange={setAdmin}>
            Whoever the directory puts into this group may invite, change and remove people.
          </Toggle>
          <fieldset className="flex min-w-0 flex-col gap-3">
            <legend className="pb-2 font-medium">Access policies</legend>
            {rows.length === 0 ? <p className="text-muted">None: the group opens no records.</p> : null}
            {rows.map((row) => (
              <div key={row.key} className="rounded-lg border border-line p-3">
                <AccessRowFields
                  row={row}
                  policies={policies.data ?? []}
                  onChange={(next) => setRows(rows.map((each) => (each.key === row.key ? next : each)))}
                  onRemove={() => setRows(rows.filter(({ key }) => key !== row.key))}
                  errorOf={(path) => (tried ? unfinished.get(row.key)?.get(path) : undefined)}
                />
              </div>
            ))}
            <Button size="sm" className="self-start" onClick={() => setRows([...rows, newAccessRow()])}>
              <Plus aria-hidden="true" />
              Add a policy
            </Button>
          </fieldset>
          <div className="flex flex-wrap justify-end gap-2 pt-1">
            <Button onClick={onClose}>Cancel</Button>
            <SubmitButton busy={map.isPending}>Save what it gives</SubmitButton>
          </div>
        </div>
      </Form>
    </Dialog>
  );
}
