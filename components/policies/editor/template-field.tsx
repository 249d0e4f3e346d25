'use client';
import { useState } from 'react';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { POLICY_TEMPLATES } from '#lib/protocol/access-policies/templates.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';

/** What a new policy begins with, in the place of what stands there. */
export function TemplateField({ onChoose }: { onChoose: (policy: AccessPolicy) => void }) {
  const [key, setKey] = useState('');
  const chosen = POLICY_TEMPLATES.find((template) => template.key === key);
  return (
    <Field
      label="Begin with"
      description={chosen?.does ?? 'A template takes the place of what stands below.'}
      className="mb-5 max-w-xl"
    >
      <Select
        value={key}
        options={[
          { value: '', label: 'Nothing' },
          ...POLICY_TEMPLATES.map((template) => ({ value: template.key, label: template.name })),
        ]}
        onValueChange={(next) => {
          setKey(next);
          const template = POLICY_TEMPLATES.find((each) => each.key === next);
          onChoose(template?.policy ?? { resourceType: 'AccessPolicy', name: '', resource: [] });
        }}
      />
    </Field>
  );
}
