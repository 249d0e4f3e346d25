import type { Metadata } from 'next';
import { Suspense } from 'react';
import { DeadLetters } from '#components/bots/events/dead-letters.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';

export const metadata: Metadata = { title: 'Dead letters' };

type Props = { params: Promise<{ project: string }> };

export default async function DeadLettersPage({ params }: Props) {
  const { project } = await params;
  return (
    <>
      <PageHeading title="Dead letters">
        Events that bots failed with for good. Mend the cause, then run them again.
      </PageHeading>
      <Suspense>
        <DeadLetters projectId={project} />
      </Suspense>
    </>
  );
}
