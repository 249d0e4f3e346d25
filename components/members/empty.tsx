'use client';
import { SearchX, UserRoundPlus } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { PageBeyond } from '#components/ui/feedback/page-beyond.tsx';

export type NoMembersProps = {
  /** How many the view matches on all its pages. */
  total: number;
  onFirst: () => void;
  onClear: () => void;
};

/** This page is past the last one, or nobody fits the filters. */
export function NoMembers({ total, onFirst, onClear }: NoMembersProps) {
  return (
    <Card>
      {total > 0 ? (
        <PageBeyond onFirst={onFirst} />
      ) : (
        <EmptyState
          icon={<SearchX />}
          title="No member matches"
          action={<Button onClick={onClear}>Clear filters</Button>}
        >
          Nobody in this project fits every filter above.
        </EmptyState>
      )}
    </Card>
  );
}

export function OnlyYou({ onInvite }: { onInvite: () => void }) {
  return (
    <Card className="mt-4 border-dashed bg-transparent shadow-none">
      <EmptyState
        icon={<UserRoundPlus />}
        title="Only you so far"
        action={
          <Button variant="primary" onClick={onInvite}>
            Invite somebody
          </Button>
        }
      >
        An invitation makes the account, the profile and the mail in one step.
      </EmptyState>
    </Card>
  );
}
