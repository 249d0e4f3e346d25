import type { Metadata } from 'next';
import { VerifyLog } from '#components/activity/verify/verify-log.tsx';

export const metadata: Metadata = { title: 'Verify the audit log' };

type Props = { params: Promise<{ project: string }> };

export default async function VerifyPage({ params }: Props) {
  const { project } = await params;
  return <VerifyLog projectId={project} />;
}
