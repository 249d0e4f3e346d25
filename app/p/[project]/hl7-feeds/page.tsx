import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Hl7Feeds } from '#components/hl7-feeds/hl7-feeds.tsx';

export const metadata: Metadata = { title: 'HL7 v2 feeds' };

type Props = { params: Promise<{ project: string }> };

export default async function Hl7FeedsPage({ params }: Props) {
  const { project } = await params;
  return (
    <Suspense>
      <Hl7Feeds projectId={project} />
    </Suspense>
  );
}
