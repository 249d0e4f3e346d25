import { Plus, Trash2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import type { AccessPolicyRule } from '#lib/protocol/fhir/types.ts';

type Constraints = NonNullable<AccessPolicyRule['writeConstraint']>;

export type ConstraintsFieldProps = {
  /** Of which rule, from 0. */
  at: number;
  constraints: Constraints | undefined;
  /** What is wrong with one, by its place; undefined: with all of them. */
  told: (index?: number) => string | undefined;
  onChange: (constraints: Constraints | undefined) => void;
};

/** What must be true of a change: FHIRPath over what it was and what it would be. */
export function ConstraintsField({ at, constraints = [], told, onChange }: ConstraintsFieldProps) {
  const put = (next: Constraints) => onChange(next.length > 0 ? next : undefined);
  const ofAll = told();
  return (
    <div className="mt-3 flex flex-col gap-3">
      {constraints.map(({ expression = '', ...rest }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a constraint is its place.
        <div key={index} className="flex items-start gap-1">
          <Field
            label={`Condition ${index + 1} of a change`}
            description={index === 0 ? 'FHIRPath, as %after.status != %before.status' : undefined}
            error={told(index)}
            className="min-w-0 flex-1"
          >
            <TextArea
              isCode
              rows={2}
              value={expression}
              onValueChange={(next) => put(constraints.with(index, { ...rest, expression: next }))}
            />
          </Field>
          <Button
            size="icon-sm"
            variant="ghost"
            aria-label={`Remove condition ${index + 1} of rule ${at + 1}`}
            onClick={() => put(constraints.toSpliced(index, 1))}
          >
            <Trash2 aria-hidden="true" />
          </Button>
        </div>
      ))}
      {ofAll ? <p className="text-[0.8125rem] text-danger-text">{ofAll}</p> : null}
      <div>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Add a condition of a change to rule ${at + 1}`}
          onClick={() => put([...constraints, { language: 'text/fhirpath', expression: '%after.exists()' }])}
        >
          <Plus aria-hidden="true" />
          Condition of a change
        </Button>
      </div>
    </div>
  );
}
