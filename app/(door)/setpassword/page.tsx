import type { Metadata } from 'next';
import { EnterCode } from '#components/door/enter-code.tsx';

export const metadata: Metadata = { title: 'Enter your code' };

export default function EnterCodePage() {
  return <EnterCode />;
}
