'use client';
import { ToldOnce } from '#components/dialogs/told-once.tsx';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import type { NewApiKey } from '#lib/protocol/api-keys/answers.ts';

export function KeyDialog({ told, onClose }: { told: NewApiKey; onClose: () => void }) {
  const curl = `curl ${window.location.origin}/fhir/R4/Patient -H "Authorization: Bearer $GATEHOUSE_KEY"`;
  const samples = [
    { label: 'curl', code: curl },
    { label: '.env', code: `GATEHOUSE_KEY=${told.key}` },
  ];
  return (
    <ToldOnce
      title={`The key ${told.name}`}
      values={{ Key: told.key }}
      ifLost="end it and make another one"
      onClose={onClose}
    >
      <CodeSamples label="Use it" samples={samples} />
    </ToldOnce>
  );
}
