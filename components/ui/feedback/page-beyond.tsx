'use client';
import { SearchX } from 'lucide-react';
import { Button } from '../button.tsx';
import { EmptyState } from './empty-state.tsx';

/** Instead of a page that the list does not reach, or no longer. */
export function PageBeyond({ onFirst }: { onFirst: () => void }) {
  return (
    <EmptyState icon={<SearchX />} title="Nothing on this page" action={<Button onClick={onFirst}>First page</Button>}>
      The list does not reach this far.
    </EmptyState>
  );
}
