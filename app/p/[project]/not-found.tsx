import { MapPinOff } from 'lucide-react';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

export const metadata = { title: 'Not found' };

/** What the rail leads to is beside it. */
export default function NotFound() {
  return (
    <>
      <h1 className="mb-6 font-semibold text-[1.375rem] leading-7 tracking-[-0.02em]">There is no such page</h1>
      <Card>
        <EmptyState icon={<MapPinOff />} title="Nothing stands at this address">
          It may be mistyped, or what stood here has moved or been removed.
        </EmptyState>
      </Card>
    </>
  );
}
