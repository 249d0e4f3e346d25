import type { Metadata } from 'next';
import { Suspense } from 'react';
import { EraseRecord } from '#components/record-erasure/erase-record.tsx';

export const metadata: Metadata = { title: 'Erase a record' };

type Props = { params: Promise<{ project: string }> };

export default async function ErasurePage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <EraseRecord projectId={project} />
    </Suspense>
  );
}
