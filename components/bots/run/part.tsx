import { type ReactNode, useId } from 'react';

/** A part of the sheet of a run, under its heading. */
export function RunPart({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-line border-t px-6 py-5">
      <div className="mb-2 flex items-baseline gap-2">
        <h3 id={id} className="font-medium">
          {title}
        </h3>
        {note ? <span className="text-muted text-xs tabular-nums">{note}</span> : null}
      </div>
      {children}
    </section>
  );
}
