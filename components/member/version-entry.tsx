'use client';
import { findDifferences, toWords } from '#components/members/merge/merge-member.ts';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { type TimelineChange, TimelineChanges, TimelineItem } from '#components/ui/display/timeline.tsx';
import { toChanges } from '#lib/client/activity/changes.ts';
import type { Member } from '#lib/client/api/types.ts';
import type { MemberVersion } from '#lib/client/member/history.ts';

const KINDS = {
  made: 'Added to the project',
  changed: 'Changed',
  removed: 'Removed from the project',
  back: 'Brought back',
} as const;

export type MemberVersionEntryProps = {
  /** What marks of this version go by. */
  about: string;
  version: MemberVersion;
  newest: boolean;
  author?: string;
  /** As it is now; missing while it is removed. */
  member?: Member;
  policyNames: Map<string, string>;
  /** The version that is being restored; meanwhile no other can be. */
  restoring?: number;
  /** Missing where nothing may be restored. */
  onRestore?: (version: number) => void;
};

export function MemberVersionEntry({
  about,
  version,
  newest,
  author,
  member,
  policyNames,
  restoring,
  onRestore,
}: MemberVersionEntryProps) {
  const { number, at, kind, before } = version;
  const isOther = member && version.member && findDifferences(version.member, member).length > 0;
  return (
    <TimelineItem about={about} className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{KINDS[kind]}</span>
          {newest ? <Badge tone="info">Now</Badge> : null}
          <span className="text-muted">
            {author ? `by ${author}, ` : ''}
            <Time at={at} />
          </span>
        </p>
        <p className="mt-0.5 text-muted text-xs">Version {number}</p>
        <TimelineChanges changes={toLines(version.member, before, policyNames)} first={!before} />
      </div>
      {isOther && onRestore ? (
        <Button
          size="sm"
          busy={restoring === number}
          disabled={restoring !== undefined}
          aria-label={`Restore version ${number}`}
          onClick={() => onRestore(number)}
        >
          Restore
        </Button>
      ) : null}
    </TimelineItem>
  );
}

/** What an administrator decides in words, then the elements that followed; of a first version, what it started with. */
function toLines(
  after: Member | undefined,
  before: Member | undefined,
  policyNames: Map<string, string>,
): TimelineChange[] {
  if (!after) return [];
  const fields = before ? findDifferences(before, after) : (['role', 'access'] as const);
  const decided = fields.map((field) => ({
    path: toWords(field),
    before: before && toWords(field, before, policyNames),
    after: toWords(field, after, policyNames),
  }));
  if (!before) return decided;
  // A display that was added later is no change of whom it names.
  const names = Object.fromEntries([before, after].flatMap(toNames));
  return [...decided, ...toChanges(toRest(before), toRest(after), names)];
}

function toNames({ user, profile, invitedBy }: Member): [string, string][] {
  return [user, profile, invitedBy].flatMap((party) =>
    party?.reference && party.display ? [[party.reference, party.display]] : [],
  );
}

function toRest({ meta, admin, active, accessPolicy, access, ...rest }: Member) {
  return rest;
}
