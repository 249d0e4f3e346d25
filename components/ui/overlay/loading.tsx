import { Skeleton } from '../feedback/skeleton.tsx';

/** At once on a slow line, and not at all where the script is there already: a press is answered within 100 ms. */
const SOON = '[animation:late_0.01s_linear_0.08s_both]';

/** Where a sheet will be, while its script is on its way. */
export function SheetLoading() {
  return (
    <div role="status" aria-label="Opening" className={`fixed inset-0 z-50 flex justify-end bg-scrim ${SOON}`}>
      <Lines className="h-full w-full max-w-lg" />
    </div>
  );
}

/** Where a dialog will be. */
export function DialogLoading() {
  return (
    <div
      role="status"
      aria-label="Opening"
      className={`fixed inset-0 z-50 grid place-items-center bg-scrim p-4 ${SOON}`}
    >
      <Lines className="h-56 w-full max-w-md rounded-2xl" />
    </div>
  );
}

function Lines({ className }: { className: string }) {
  return (
    <div className={`flex flex-col gap-4 border border-line bg-raised p-6 shadow-sheet ${className}`}>
      <Skeleton className="h-4 w-1/3" />
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-9 w-2/3" />
    </div>
  );
}
