import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';

export type CompartmentFieldProps = {
  policy: AccessPolicy;
  error: string | undefined;
  onChange: (policy: AccessPolicy) => void;
};

/** Where what is written under the policy belongs. */
export function CompartmentField({ policy, error, onChange }: CompartmentFieldProps) {
  const { compartment, ...rest } = policy;
  return (
    <Field
      label="What is written belongs to"
      optional
      error={error}
      description="Organization/<id>, or a parameter: %organization. It becomes an account of every record that is made or changed"
    >
      <Input
        className="font-mono text-xs"
        spellCheck={false}
        autoComplete="off"
        value={compartment?.reference ?? ''}
        onValueChange={(reference) => {
          onChange(reference.trim() === '' ? rest : { ...rest, compartment: { reference: reference.trim() } });
        }}
      />
    </Field>
  );
}
