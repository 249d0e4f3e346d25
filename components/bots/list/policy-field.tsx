import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';

/** A Select has no empty value. */
const NONE = 'none';

export type PolicyFieldProps = {
  projectId: string;
  /** `AccessPolicy/…`; undefined: none. */
  value: string | undefined;
  onChange: (reference: string | undefined) => void;
  /** It was to be made, and what is missing shows. */
  isTried: boolean;
};

/** What a new bot may do: everything, unless a policy says less; where the project requires one, one of them. */
export function PolicyField({ projectId, value, onChange, isTried }: PolicyFieldProps) {
  const policies = usePolicies(projectId);
  const isRequired = usePolicyRequired();
  return (
    <Field
      label="Access policy"
      error={isTried && isRequired && !value ? 'Choose a policy: this project requires one' : undefined}
      description="What its code may read and change."
    >
      <Select
        value={value ?? NONE}
        onValueChange={(next) => onChange(next === NONE ? undefined : next)}
        options={[
          { value: NONE, label: isRequired ? 'Choose what it may do' : 'Everything (no policy)' },
          ...(policies.data ?? []).map(({ reference, name }) => ({ value: reference, label: name })),
        ]}
        className="w-full"
      />
    </Field>
  );
}
