'use client';
import dynamic from 'next/dynamic';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';

/** The code editor, with its script loaded when it is first shown. */
export const LazyCode = dynamic(() => import('./code-editor.tsx').then((module) => module.CodeEditor), {
  ssr: false,
  loading: () => <CodeSkeleton />,
});

const LINES = ['w-3/5', 'w-0', 'w-4/5', 'w-1/2', 'w-2/3', 'w-1/3', 'w-3/5', 'w-1/4', 'w-8'];

export function CodeSkeleton() {
  return (
    <SkeletonRegion label="Loading the code" className="flex flex-col gap-2.5 p-4 pl-12">
      {LINES.map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change.
        <Skeleton key={line} className={`h-3 ${width}`} />
      ))}
    </SkeletonRegion>
  );
}
