/** "Step 1 of 2", said and drawn. */
export function StepDots({ step, of, label }: { step: number; of: number; label: string }) {
  return (
    <div className="mb-4 flex items-center gap-2.5 text-[0.8125rem] text-muted">
      <span className="flex gap-1" aria-hidden="true">
        {Array.from({ length: of }, (_, index) => index + 1).map((dot) => (
          <span key={dot} className={dot <= step ? 'h-1 w-6 rounded-full bg-accent' : 'h-1 w-6 rounded-full bg-line'} />
        ))}
      </span>
      <span>
        Step {step} of {of}: {label}
      </span>
    </div>
  );
}
