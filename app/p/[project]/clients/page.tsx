import type { Metadata } from 'next';
import { Clients } from '#components/clients/clients.tsx';

export const metadata: Metadata = { title: 'Clients' };

type Props = { params: Promise<{ project: string }> };

export default async function ClientsPage({ params }: Props) {
  const { project } = await params;
  return <Clients projectId={project} />;
}
