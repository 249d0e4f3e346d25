'use client';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import type { FoundPatient, FoundPatients } from '#lib/protocol/answers/authorization.ts';

type Props = {
  found: { data: FoundPatients | undefined; error: Error | null; refetch: () => unknown };
  /** Something was typed. */
  isFiltered: boolean;
  chosen: string | undefined;
  onChoose: (patient: FoundPatient) => void;
};

/** The first patients that fit, to choose one: by mouse, by touch, or with the arrow keys. */
export function PatientList({ found, isFiltered, chosen, onChoose }: Props) {
  const { data } = found;
  if (found.error)
    return <ErrorState error={found.error} what="the patients" onRetry={() => void found.refetch()} className="my-2" />;
  if (!data) return <Waiting />;
  return (
    <>
      <p role="status" className="mt-5 mb-2 text-[0.8125rem] text-muted">
        {toCount(data.patients.length, data.more, isFiltered)}
      </p>
      {data.patients.length > 0 ? (
        <fieldset className="mb-6 max-h-80 overflow-y-auto rounded-xl border border-line bg-surface shadow-card">
          <legend className="sr-only">Patients</legend>
          {data.patients.map((patient) => (
            <label
              key={patient.id}
              className="flex min-h-12 items-center gap-3 border-line border-b px-4 py-2.5 last:border-b-0 hover:bg-hover has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="patient"
                className="accent-accent"
                checked={patient.id === chosen}
                onChange={() => onChoose(patient)}
              />
              <span className="min-w-0">
                <span className="block truncate font-medium">{patient.name}</span>
                <span className="block truncate text-[0.8125rem] text-muted">{toFacts(patient)}</span>
              </span>
            </label>
          ))}
        </fieldset>
      ) : (
        <div className="mb-6" />
      )}
    </>
  );
}

function toCount(count: number, more: boolean, isFiltered: boolean): string {
  if (more) return `The first ${count} of more: type more of the name, the date of birth or a number.`;
  if (count === 0) return isFiltered ? 'Nobody fits whom you may read.' : 'There is no patient whom you may read.';
  return count === 1 ? 'One patient' : `${count} patients`;
}

/** What tells two of one name apart. */
function toFacts({ birthDate, gender, identifiers }: FoundPatient): string {
  return [birthDate && `Born ${birthDate}`, gender, ...identifiers].filter(Boolean).join(' · ') || 'No further facts';
}

function Waiting() {
  return (
    <SkeletonRegion label="Looking for patients" className="mt-5 mb-6 flex flex-col gap-3">
      <Skeleton className="h-12 w-full rounded-xl" />
      <Skeleton className="h-12 w-full rounded-xl" />
    </SkeletonRegion>
  );
}
