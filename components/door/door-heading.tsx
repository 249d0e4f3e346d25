import type { ReactNode } from 'react';

export function DoorHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-7">
      <h1 className="font-semibold text-[1.625rem] leading-8 tracking-[-0.022em]">{title}</h1>
      {children ? <p className="mt-2 text-[0.9375rem] text-muted leading-6">{children}</p> : null}
    </div>
  );
}
