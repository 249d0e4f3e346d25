'use client';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import type { Member } from '#lib/client/api/types.ts';

/** The membership as the API answers it. */
export function JsonTab({ member }: { member: Member }) {
  return (
    <CodeSamples
      label="The membership as JSON"
      samples={[
        { label: `ProjectMembership, version ${member.meta?.versionId}`, code: JSON.stringify(member, undefined, 2) },
      ]}
    />
  );
}
