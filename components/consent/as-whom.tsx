'use client';
import type { LoginMembership } from '#lib/protocol/answers/login.ts';

/** The choice between memberships, for who has several in the app’s project. */
export function AsWhom({
  memberships,
  chosen,
  onChoose,
}: {
  memberships: LoginMembership[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  return (
    <fieldset className="mb-7 flex flex-col gap-2">
      <legend className="mb-2 font-medium">As whom?</legend>
      {memberships.map((membership) => (
        <label
          key={membership.id}
          className="flex items-center gap-3 rounded-xl border border-line bg-surface px-4 py-3 shadow-card"
        >
          <input
            type="radio"
            name="membership"
            className="accent-accent"
            checked={membership.id === chosen}
            onChange={() => onChoose(membership.id)}
          />
          <span className="min-w-0">
            <span className="block truncate font-medium">{membership.profile.display ?? 'Yourself'}</span>
            <span className="block truncate text-[0.8125rem] text-muted">
              {[membership.profile.reference?.split('/')[0], membership.project.display].filter(Boolean).join(' · ')}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
