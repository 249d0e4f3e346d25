import type { Metadata } from 'next';
import { Request } from '#components/access-requests/request.tsx';

export const metadata: Metadata = { title: 'Access request' };

type Props = { params: Promise<{ project: string; request: string }> };

export default async function RequestPage({ params }: Props) {
  const { project, request } = await params;
  return <Request projectId={project} requestId={request} />;
}
