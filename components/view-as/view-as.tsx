'use client';
import { useState } from 'react';
import type { View } from '#lib/client/view-as/view.ts';
import { StartDialog, type ViewAsProps } from './start-dialog.tsx';
import { ViewScreen } from './view-screen.tsx';

/** Why first; then the project as they see it, over the whole page. */
export function ViewAs(props: ViewAsProps) {
  const [view, setView] = useState<View>();
  return view ? <ViewScreen {...props} view={view} /> : <StartDialog {...props} onStarted={setView} />;
}
