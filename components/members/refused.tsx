'use client';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { PageBeyond } from '#components/ui/feedback/page-beyond.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';

export type MembersRefusedProps = { error: Error; page: number; onFirst: () => void; onRetry: () => void };

/** Why there are no members to show. `page`: which one the URL asks for. */
export function MembersRefused({ error, page, onFirst, onRetry }: MembersRefusedProps) {
  return (
    <>
      <PageHeading title="Members" />
      <Card>
        {error instanceof ApiError && error.status === 400 && page > 1 ? (
          <PageBeyond onFirst={onFirst} />
        ) : (
          <ErrorState error={error} what="the members of this project" onRetry={onRetry} />
        )}
      </Card>
    </>
  );
}
