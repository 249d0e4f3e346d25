import { CircleAlert } from 'lucide-react';

/** A refusal under controls that stand in no Field; they name it by `aria-describedby`. */
export function FieldError({ id, children }: { id?: string; children: string | undefined }) {
  if (!children) return null;
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-[0.8125rem] text-danger-text leading-snug">
      <CircleAlert className="mt-px size-3.5 shrink-0" aria-hidden="true" />
      {children}
    </p>
  );
}
