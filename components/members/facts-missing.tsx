'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';

/** The members are there, but not all that stands beside them: says so, and asks for the rest again. */
export function FactsMissing({ missing }: { missing: readonly UseQueryResult<unknown>[] }) {
  return (
    <Alert tone="warn" className="mb-3 py-1.5">
      <span className="mr-3">Some facts could not be loaded</span>
      <Button variant="link" size="sm" onClick={() => void Promise.all(missing.map((query) => query.refetch()))}>
        Retry
      </Button>
    </Alert>
  );
}
