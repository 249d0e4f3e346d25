'use client';
import { Plus } from 'lucide-react';
import type { Path } from 'react-hook-form';
import { AccessRowFields } from '#components/member/access-row-fields.tsx';
import { Button } from '#components/ui/button.tsx';
import { type AccessRow, newAccessRow, newRowKey } from '#lib/client/access/access-rows.ts';
import { usePolicies } from '#lib/client/access/policies.ts';
import type { InviteForm } from '#lib/client/invites/form.ts';

export type AccessRowsFieldProps = {
  projectId: string;
  rows: readonly AccessRow[];
  onChange: (rows: AccessRow[]) => void;
  errorOf: (name: Path<InviteForm>) => string | undefined;
};

/** Policies that take values ("the ward of this nurse"): one line until somebody wants them. */
export function AccessRowsField({ projectId, rows, onChange, errorOf }: AccessRowsFieldProps) {
  const policies = usePolicies(projectId);
  return (
    <fieldset className="-mt-2 flex min-w-0 flex-col gap-3">
      <legend className="sr-only">Policies with parameters</legend>
      {rows.map((row, at) => (
        <div key={row.key} className="rounded-lg border border-line p-3">
          <AccessRowFields
            row={row}
            policies={policies.data ?? []}
            onChange={(next) => onChange(rows.map((each) => (each.key === row.key ? next : each)))}
            onRemove={() => onChange(rows.filter((each) => each.key !== row.key))}
            errorOf={(path) => errorOf(`accessRows.${at}.${path}` as Path<InviteForm>)}
          />
        </div>
      ))}
      <Button
        variant="ghost"
        size="sm"
        className="-ml-2 self-start px-2"
        onClick={() =>
          onChange([...rows, { ...newAccessRow(), parameters: [{ key: newRowKey(), name: '', value: '' }] }])
        }
      >
        <Plus aria-hidden="true" />
        Policy with parameters
      </Button>
    </fieldset>
  );
}
