'use client';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { FieldError } from '#components/ui/form/field-error.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';

/** As many as every project begins with, so that nothing moves when they come. */
const BEGINNING = ['w-52', 'w-60', 'w-56', 'w-48'];

export type PolicyPickerProps = {
  projectId: string;
  /** References of the chosen policies. */
  value: readonly string[];
  onChange: (references: string[]) => void;
  error?: string;
  /** What no policy at all means here. */
  none: string;
};

/** Which access policies apply; several add up. */
export function PolicyPicker({ projectId, value, onChange, error, none }: PolicyPickerProps) {
  const policies = usePolicies(projectId);
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Access policies</legend>
      <div className="max-h-48 overflow-y-auto rounded-lg border border-line-strong bg-surface p-1 shadow-card">
        {policies.data?.length === 0 ? (
          <p className="px-2 py-1.5 text-muted">This project has no policies yet.</p>
        ) : null}
        {policies.error ? <p className="px-2 py-1.5 text-muted">{policies.error.message}</p> : null}
        {policies.isPending
          ? BEGINNING.map((width) => (
              <div key={width} className="flex h-8 items-center px-1.5">
                <Skeleton className={width} />
              </div>
            ))
          : null}
        {policies.data?.map(({ reference, name }) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the Checkbox inside is an input.
          <label key={reference} className="flex min-h-8 items-center gap-2 rounded-md px-1.5 py-1 hover:bg-hover">
            <Checkbox
              checked={value.includes(reference)}
              onCheckedChange={(on) =>
                onChange(on ? [...value, reference] : value.filter((each) => each !== reference))
              }
            />
            <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
          </label>
        ))}
      </div>
      {error ? (
        <FieldError>{error}</FieldError>
      ) : (
        <p className="text-[0.8125rem] text-muted">
          {value.length === 0 ? none : 'What any of them allows is allowed.'}
        </p>
      )}
    </fieldset>
  );
}
