'use client';
import { useEffect } from 'react';
import { toSignInPath } from '#lib/client/door/sign-in-path.ts';

/** Leaves for the sign-in page, which comes back to exactly this address. */
export function ToSignIn({ projectId }: { projectId: string }) {
  useEffect(() => window.location.replace(toSignInPath(projectId)), [projectId]);
  return null;
}
