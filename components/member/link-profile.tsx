'use client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ReferenceField } from '#components/invites/sheet/reference-field.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Form } from '#components/ui/form/form.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { repairMember } from '#lib/client/member/change-member.ts';

export type LinkProfileProps = {
  projectId: string;
  member: Member;
  name: string;
  /** With the reference that the member stands for now. */
  onLinked: (reference: string) => Promise<void>;
  onClose: () => void;
};

const LABELS: Record<string, string> = {
  Practitioner: 'Practitioner',
  Patient: 'Patient',
  RelatedPerson: 'Related person',
};

/** Chooses the record that takes the place of a lost one. What the server says against it stands at the field. */
export function LinkProfile({ projectId, member, name, onLinked, onClose }: LinkProfileProps) {
  const type = member.profile.reference?.split('/')[0] ?? '';
  const form = useRef<HTMLFormElement>(null);
  const [reference, setReference] = useState('');
  const [missing, setMissing] = useState(false);
  const link = useMutation({
    mutationFn: () => repairMember(projectId, member.id, reference),
    onSuccess: () => onLinked(reference),
    onError: () => toInput(form.current)?.focus(),
  });
  useEffect(() => toInput(form.current)?.focus(), []);

  function submit() {
    setMissing(reference === '');
    if (reference === '') toInput(form.current)?.focus();
    else link.mutate();
  }

  return (
    <Card className="px-5 py-4">
      <Form
        busy={link.isPending}
        ref={form}
        aria-label="Link another profile"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      >
        <ReferenceField
          projectId={projectId}
          type={type}
          label={LABELS[type] ?? type}
          description={`${name} keeps login, role and policies, and is this record from then on.`}
          error={missing ? 'Choose a record from the list' : link.error?.message}
          value={reference}
          onChange={(next) => {
            setReference(next);
            setMissing(false);
            link.reset();
          }}
        />
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={link.isPending}>
            Link this profile
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function toInput(form: HTMLFormElement | null): HTMLInputElement | null | undefined {
  return form?.querySelector('input');
}
