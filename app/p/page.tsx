import { redirect } from 'next/navigation';
import { pageSession } from '../page-session.ts';

export default async function ProjectsPage() {
  const session = await pageSession();
  redirect(session ? `/p/${session.projectId}` : '/signin');
}
