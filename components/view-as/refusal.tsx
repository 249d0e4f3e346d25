'use client';
import { useEffect } from 'react';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';

export type RefusalProps = { error: Error; what: string; onOver: () => void; onRetry: () => void };

/** What is closed to them is so; there is nothing to ask for in their place. A view that has ended says so. */
export function Refusal({ error, what, onOver, onRetry }: RefusalProps) {
  const status = error instanceof ApiError ? error.status : undefined;
  const isOver = status === 401;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  if (isOver) return null;
  if (status === 403 || status === 400 || status === 404)
    return (
      <Alert tone="warn" title={status === 403 ? 'This is closed' : undefined}>
        {error.message}
      </Alert>
    );
  return <ErrorState error={error} what={what} onRetry={onRetry} />;
}
