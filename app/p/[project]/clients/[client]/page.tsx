import type { Metadata } from 'next';
import { Clients } from '#components/clients/clients.tsx';

export const metadata: Metadata = { title: 'Clients' };

type Props = { params: Promise<{ project: string; client: string }> };

/** The list with one client marked: an address that can be sent to somebody. */
export default async function ClientPage({ params }: Props) {
  const { project, client } = await params;
  return <Clients projectId={project} current={client} />;
}
