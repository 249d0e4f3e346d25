import type { Metadata } from 'next';
import { ReopenProject } from '#components/reopen/reopen-project.tsx';

// The address of this page is a capability: nothing may keep or pass it on.
export const metadata: Metadata = {
  title: 'Open your project again',
  referrer: 'no-referrer',
  robots: { index: false },
};

type Props = { params: Promise<{ id: string }> };

export default async function ReopenPage({ params }: Props) {
  const { id } = await params;
  return <ReopenProject id={id} />;
}
