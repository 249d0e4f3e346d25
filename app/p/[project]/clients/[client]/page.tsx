import type { Metadata } from 'next';
import { Clients } from '#components/clients/clients.tsx';

export const metadata: Metadata = { title: 'Clients' };

type Props = { params: Promise<{ project: string }> };

/** The list with one client open beside it: an address that can be sent to somebody. */
export default async function ClientPage({ params }: Props) {
  const { project } = await params;
  return <Clients projectId={project} />;
}
