'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { useMemberLookup } from '#lib/client/members/lookup.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';

type Props = {
  projectId: string;
  owner: Reference | undefined;
  /** No member any more. */
  hasLeft: boolean;
  onChoose: (owner: Reference | undefined) => void;
};

/** Who is responsible for a client: a member, found by name. */
export function OwnerField({ projectId, owner, hasLeft, onChoose }: Props) {
  const [looking, look] = useState(false);
  const [typed, setTyped] = useState('');
  const found = useMemberLookup(projectId, looking ? typed.trim() : '');
  const people = found.data?.filter(({ email }) => email !== undefined) ?? [];
  if (!looking) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-medium text-sm">Responsible</p>
          <p className={hasLeft ? 'text-warn-text' : 'text-muted'}>
            {owner ? (owner.display ?? 'A member') : 'Nobody is named'}
            {hasLeft ? ', who has left: name somebody else' : ''}
          </p>
        </div>
        <Button size="sm" onClick={() => look(true)}>
          {owner ? 'Name somebody else' : 'Name somebody'}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <Field label="Responsible" description="A member of the project: type two letters of who it is.">
        <Input
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {people.length > 0 ? (
        <ul aria-label="Members who fit" className="divide-y divide-line rounded-lg border border-line">
          {people.map(({ id, name, email }) => (
            <li key={id}>
              <button
                type="button"
                className="flex min-h-9 w-full flex-wrap items-center gap-x-2 px-3 py-1.5 text-left hover:bg-hover"
                onClick={() => {
                  onChoose({ reference: `ProjectMembership/${id}`, display: name });
                  look(false);
                }}
              >
                <span className="font-medium">{name}</span>
                <span className="text-[0.8125rem] text-muted">{email}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : typed.trim().length > 1 && found.data ? (
        <p role="status" className="text-[0.8125rem] text-muted">
          No member fits.
        </p>
      ) : null}
      <div className="flex gap-2">
        <Button size="sm" onClick={() => look(false)}>
          Leave it
        </Button>
        {owner ? (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              onChoose(undefined);
              look(false);
            }}
          >
            Nobody
          </Button>
        ) : null}
      </div>
    </div>
  );
}
