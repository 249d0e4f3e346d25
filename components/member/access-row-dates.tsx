import { X } from 'lucide-react';
import { useId } from 'react';
import { Button } from '#components/ui/button.tsx';
import { FieldError } from '#components/ui/form/field-error.tsx';
import { Input } from '#components/ui/form/input.tsx';
import type { AccessRow } from '#lib/client/access/access-rows.ts';

export type AccessRowDatesProps = {
  dates: NonNullable<AccessRow['dates']>;
  error: string | undefined;
  onChange: (dates: AccessRow['dates']) => void;
};

/** From when, and until when, a policy is given. Both days count; what was given to the minute stays so until its day is changed. */
export function AccessRowDates({ dates, error, onChange }: AccessRowDatesProps) {
  const id = useId();
  const put = (end: 'start' | 'end', day: string) => {
    if (day !== dates[end].slice(0, 10)) onChange({ ...dates, [end]: day });
  };
  return (
    <div className="flex flex-col gap-1.5 pl-4">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={`${id}-start`} className="text-muted">
          From
        </label>
        <Input
          id={`${id}-start`}
          type="date"
          max="9999-12-31"
          value={dates.start.slice(0, 10)}
          onChange={(event) => put('start', event.currentTarget.value)}
          className="max-w-40"
        />
        <label htmlFor={`${id}-end`} className="text-muted">
          until
        </label>
        <Input
          id={`${id}-end`}
          type="date"
          max="9999-12-31"
          value={dates.end.slice(0, 10)}
          onChange={(event) => put('end', event.currentTarget.value)}
          {...(error && ({ 'aria-invalid': true, 'aria-describedby': `${id}-error` } as const))}
          className="max-w-40"
        />
        <Button variant="ghost" size="icon-sm" aria-label="Take the dates away" onClick={() => onChange(undefined)}>
          <X aria-hidden="true" />
        </Button>
      </div>
      <p className="text-[0.8125rem] text-muted">Before and after these days (UTC) this policy gives nothing.</p>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
