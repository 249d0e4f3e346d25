'use client';
import dynamic from 'next/dynamic';
import { CodeSkeleton } from '../code/lazy-code.tsx';

/** A difference of two texts, with its script loaded when it is first shown. */
export const LazyDiff = dynamic(() => import('./code-diff.tsx').then((module) => module.CodeDiff), {
  ssr: false,
  loading: () => <CodeSkeleton />,
});
